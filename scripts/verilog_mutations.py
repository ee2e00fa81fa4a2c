# SPDX-License-Identifier: Apache-2.0
"""Finds what can be mutated in a Verilog file of rtl/, and writes files that hold many mutants at once.

A parser for the subset of Verilog-2005 that rtl/ is written in. What it does not know is an error, so nothing is passed over in silence.
Left alone, as they are fixed at elaboration: parameters, widths, replication counts, part-select bounds, generate and loop headers,
case labels, expressions of parameters and genvars alone in selections; also assertions and what is called unused.
"""

import dataclasses
import re

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|\(\*(?!\)).*?\*\)|`(?:include|default_nettype|ifdef|ifndef|else|endif|define|undef)\b[^\n]*)
      |(?P<number>\d*\s*'[sS]?[bdhoBDHO]\s*(?:[0-9a-fA-F_]+|x)|\d[\d_]*)
      |(?P<macro>`[A-Za-z_]\w*)
      |(?P<name>[A-Za-z_$][\w$]*)
      |(?P<string>"[^"]*")
      |(?P<op><<<|>>>|===|!==|<=|>=|==|!=|&&|\|\||<<|>>|~\||~&|~\^|\*\*|\+:|-:|[-+*/%&|^~!<>?:;,.(){}\[\]=@\#])""",
    re.VERBOSE | re.DOTALL,
)
PRECEDENCE = [["||"], ["&&"], ["|"], ["^", "~^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>", ">>>"], ["+", "-"], ["*", "/", "%"]]
OTHER_OPERATOR = {
    "+": "-", "-": "+", "*": "+", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&": "|", "|": "&", "^": "|",
    "<<": ">>", ">>": "<<", ">>>": ">>", "&&": "||", "||": "&&",
}  # fmt: skip
NOT_SWAPPED = ("clk", "rst")


class ParseError(Exception):
    pass


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclasses.dataclass
class Node:
    """An expression. `children` are the parts that may hold mutants themselves."""

    kind: str
    start: int
    end: int
    children: list
    text: str = ""
    # Of an operator; what takes its place may need brackets
    is_operand: bool = False
    # [(kind of mutation, replacement)]
    alternatives: list = dataclasses.field(default_factory=list)
    # Signals that change nothing when they take this one's place: `a && a` is the same as `a`
    not_swapped: tuple = ()
    # Mutants chosen for a schema: [(number, replacement)]
    chosen: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Statement:
    """A nonblocking assignment, which may be dropped."""

    start: int
    end: int
    chosen: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Mutation:
    number: int
    file: str
    start: int
    end: int
    kind: str
    replacement: str
    # Node or Statement
    place: object

    def applied(self, text):
        """The file's text with this mutation."""
        bracketed = getattr(self.place, "is_operand", False) and " " in self.replacement
        return text[: self.start] + (f"({self.replacement})" if bracketed else self.replacement) + text[self.end :]


@dataclasses.dataclass
class Signal:
    name: str
    shape: str
    scope: tuple
    is_input: bool = False
    is_memory: bool = False
    # Range in numbers, or None
    bits: tuple = None


def tokenise(text):
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ParseError(f"character {text[at]!r} at {at}")
        if match.lastgroup != "skip":
            tokens.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
        at = match.end()
    return tokens


def port_directions(text):
    """{port: "input" or "output"} of the module in `text`."""
    return {name: way for way, name in re.findall(r"^\s*(input|output)\s+(?:wire|reg)?\s*(?:signed\s*)?(?:\[.*?\]\s*)?(\w+)\s*,?\s*$",
                                                  re.sub(r"//.*", "", text), re.MULTILINE)}  # fmt: skip


class Parser:
    """Walks one file and notes expressions, statements and signals."""

    def __init__(self, text, ports_of):
        self.text = text
        self.ports_of = ports_of
        self.tokens = tokenise(text)
        self.at = 0
        self.constants = set()
        self.signals = {}
        self.registers = set()
        # {(scope, variable of a function): [(where an assignment ends, the bit assigned or None)]}
        self.assigned = {}
        # {signal: what it is another name of}
        self.aliases = {}
        self.statements = []
        # (expression, context, scope); context: "clocked", "wired" or "function"
        self.roots = []
        self.conditions = []
        self.scope = ()
        self.context = "wired"
        self.body_at = None
        self.parse_module()

    # ---- Tokens ----

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead].text if self.at + ahead < len(self.tokens) else ""

    def take(self, expected=None):
        token = self.tokens[self.at]
        if expected is not None and token.text != expected:
            line = self.text.count("\n", 0, token.start) + 1
            raise ParseError(f"line {line}: {expected!r} expected, not {token.text!r}")
        self.at += 1
        return token

    def accept(self, text):
        if self.peek() == text:
            self.at += 1
            return True
        return False

    def skip_brackets(self):
        """Passes over a bracketed group; returns its text."""
        first = self.take()
        closing = {"(": ")", "[": "]", "{": "}"}
        stack = [closing[first.text]]
        while stack:
            token = self.take()
            if token.text in closing:
                stack.append(closing[token.text])
            elif token.text == stack[-1]:
                stack.pop()
        return self.text[first.start : self.tokens[self.at - 1].end]

    def skip_to(self, *ends):
        """Passes over tokens up to one of `ends` outside brackets."""
        while self.peek() not in ends:
            if self.peek() in ("(", "[", "{"):
                self.skip_brackets()
            else:
                self.take()

    # ---- Expressions ----

    def expression(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.take(":")
        no = self.expression()
        self.conditions.append(condition)
        return Node("?:", condition.start, no.end, [condition, yes, no])

    def binary(self, level):
        if level == len(PRECEDENCE):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in PRECEDENCE[level]:
            operator = self.take().text
            right = self.binary(level + 1)
            left = Node("binary", left.start, right.end, [left, right], operator)
            for child in left.children:
                child.is_operand = True
        return left

    def unary(self):
        if self.peek() in ("!", "~", "-", "+", "&", "|", "^", "~|", "~&"):
            operator = self.take()
            operand = self.unary()
            operand.is_operand = True
            return Node("unary", operator.start, operand.end, [operand], operator.text)
        return self.primary()

    def primary(self):
        token = self.take()
        if token.kind == "number":
            return Node("number", token.start, token.end, [], token.text)
        if token.kind == "macro":
            if self.peek() == "(":
                self.skip_brackets()
            return Node("constant", token.start, self.tokens[self.at - 1].end, [], token.text)
        if token.text == "(":
            inner = self.expression()
            return Node("()", token.start, self.take(")").end, [inner])
        if token.text == "{":
            return self.concatenation(token)
        if token.kind != "name":
            raise ParseError(f"line {self.text.count(chr(10), 0, token.start) + 1}: expression expected, not {token.text!r}")
        if self.peek() == "(":
            if token.text == "$clog2":
                self.skip_brackets()
                return Node("constant", token.start, self.tokens[self.at - 1].end, [])
            self.take("(")
            arguments = [self.expression()]
            while self.accept(","):
                arguments.append(self.expression())
            return Node("call", token.start, self.take(")").end, arguments, token.text)
        return self.reference(token)

    def reference(self, token):
        node = Node("reference", token.start, token.end, [], token.text)
        while self.peek() in ("[", "."):
            if self.accept("."):
                node.kind = "hierarchical"
                node.end = self.take().end
                continue
            self.take("[")
            first = self.expression()
            separator = self.peek()
            if separator in (":", "+:", "-:"):
                self.take()
                self.expression()
            if separator != ":" and any(n.kind == "reference" and n.text not in self.constants for n in walk(first)):
                node.children.append(first)
            node.end = self.take("]").end
        if node.kind == "hierarchical":
            node.children = []
        return node

    def concatenation(self, brace):
        first = self.expression()
        if self.peek() == "{":
            parts = [self.concatenation(self.take("{"))]
            return Node("repeat", brace.start, self.take("}").end, parts)
        parts = [first]
        while self.accept(","):
            parts.append(self.expression())
        return Node("concatenation", brace.start, self.take("}").end, parts)

    def root(self, is_condition=False, name=None):
        node = self.expression()
        if name and node.kind == "reference" and self.text[node.start : node.end] == node.text:
            self.aliases[name] = self.aliases.get(node.text, node.text)
        if is_condition:
            self.conditions.append(node)
        self.roots.append((node, self.context, self.scope))

    def ignored(self, parse):
        """Parses without noting anything."""
        kept = len(self.roots), len(self.conditions)
        result = parse()
        del self.roots[kept[0] :], self.conditions[kept[1] :]
        return result

    # ---- Declarations ----

    def shape(self):
        """Sign and range of a declaration, as written."""
        sign = "signed " if self.accept("signed") else ""
        return sign + (re.sub(r"\s+", "", self.skip_brackets()) if self.peek() == "[" else "")

    def declare(self, name, shape, **more):
        numbers = re.fullmatch(r"(?:signed )?\[(\d+):(\d+)\]", shape)
        bits = tuple(map(int, numbers.groups())) if numbers else None
        self.signals[self.scope, name] = Signal(name, shape, self.scope, bits=bits, **more)

    def lookup(self, name, scope):
        while (scope, name) not in self.signals and scope:
            scope = scope[:-1]
        return self.signals.get((scope, name))

    def has_value(self, name, scope, at, bit=None):
        """Whether what stands at `at` can read it: a variable of a function has none before it is assigned."""
        return (scope, name) not in self.assigned or any(end <= at and which in (None, bit) for end, which in self.assigned[scope, name])

    def parse_module(self):
        while self.peek() != "module":
            self.take()
        self.take()
        self.take()
        if self.accept("#"):
            self.constants |= set(re.findall(r"parameter\s+(?:\[[^]]*\]\s*)?(\w+)", self.skip_brackets()))
        self.take("(")
        while not self.accept(")"):
            way = self.take().text
            if self.peek() in ("wire", "reg"):
                self.take()
            shape = self.shape()
            self.declare(self.take().text, shape, is_input=way == "input")
            self.accept(",")
        self.body_at = self.take(";").end
        while not self.accept("endmodule"):
            self.item()

    def item(self):
        token = self.tokens[self.at]
        parse = getattr(self, "item_" + token.text, None) if token.kind == "name" else None
        if parse:
            self.take()
            parse()
        elif token.kind == "macro" and self.peek(1) == "(":
            self.take()
            self.skip_brackets()
        elif token.kind == "name":
            self.instance()
        else:
            raise ParseError(f"line {self.text.count(chr(10), 0, token.start) + 1}: not an item: {token.text!r}")

    def item_localparam(self):
        self.shape()
        self.constants.add(self.take().text)
        self.skip_to(";")
        self.take(";")

    def item_genvar(self):
        self.constants.add(self.take().text)
        self.take(";")

    def item_integer(self):
        self.declare(self.take().text, "integer")
        self.take(";")

    def item_wire(self):
        shape = self.shape()
        name = self.take().text
        if self.peek() == "[":
            self.skip_brackets()
            self.declare(name, shape, is_memory=True)
        else:
            self.declare(name, shape)
        while self.accept(","):
            self.declare(self.take().text, shape)
        if self.accept("="):
            if name.startswith("unused"):
                self.ignored(self.expression)
            else:
                self.root(name=name)
        self.take(";")

    item_reg = item_wire

    def item_assign(self):
        names = self.lvalue()
        self.take("=")
        if names[0].startswith("unused"):
            self.ignored(self.expression)
        else:
            self.root(name=names[0])
        self.take(";")

    def item_always(self):
        self.take("@")
        if self.accept("*"):
            self.statement()
        else:
            self.skip_brackets()
            self.context = "clocked"
            self.statement()
        self.context = "wired"

    def item_function(self):
        shape = self.shape()
        name = self.take().text
        outer = self.scope
        self.scope = (*outer, name)
        self.declare(name, shape)
        self.context = "function"
        if self.accept("("):
            while not self.accept(")"):
                self.take("input")
                local = self.shape()
                self.declare(self.take().text, local)
                self.accept(",")
        self.take(";")
        while self.peek() in ("input", "reg", "integer"):
            way = self.take().text
            local = "integer" if way == "integer" else self.shape()
            if way != "input":
                self.assigned[self.scope, self.peek()] = []
            self.declare(self.take().text, local)
            self.take(";")
        self.statement()
        self.take("endfunction")
        self.context = "wired"
        self.scope = outer

    def item_generate(self):
        while not self.accept("endgenerate"):
            self.item()

    def item_for(self):
        self.skip_brackets()
        self.block()

    def item_if(self):
        self.skip_brackets()
        self.block()
        if self.accept("else"):
            if self.accept("if"):
                self.item_if()
            else:
                self.block()

    def block(self):
        self.take("begin")
        self.take(":")
        name = self.take().text
        if name.startswith("g_check"):
            self.skip_to("end")
            self.take()
            return
        outer = self.scope
        self.scope = (*outer, f"{name}@{self.at}")
        while not self.accept("end"):
            self.item()
        self.scope = outer

    def instance(self):
        module = self.take().text
        if self.accept("#"):
            self.skip_brackets()
        self.take()
        self.take("(")
        directions = self.ports_of.get(module)
        if directions is None:
            raise ParseError(f"no module {module}")
        while not self.accept(")"):
            self.take(".")
            port = self.take().text
            self.take("(")
            if directions[port] == "input" and port not in NOT_SWAPPED:
                self.root()
            else:
                self.ignored(self.expression)
            self.take(")")
            self.accept(",")
        self.take(";")

    # ---- Statements ----

    def lvalue(self):
        start = self.at
        if self.peek() == "{":
            self.skip_brackets()
        else:
            self.take()
            while self.peek() == "[":
                self.skip_brackets()
        return [token.text for token in self.tokens[start : self.at] if token.kind == "name"]

    def statement(self):
        if self.accept("begin"):
            if self.accept(":"):
                self.take()
            while not self.accept("end"):
                self.statement()
        elif self.accept("if"):
            self.take("(")
            self.root(is_condition=True)
            self.take(")")
            self.statement()
            if self.accept("else"):
                self.statement()
        elif self.accept("case"):
            self.take("(")
            self.root()
            self.take(")")
            while not self.accept("endcase"):
                self.skip_to(":")
                self.take(":")
                self.statement()
        elif self.accept("for"):
            self.skip_brackets()
            self.statement()
        elif not self.accept(";"):
            self.assignment()

    def assignment(self):
        start = self.tokens[self.at].start
        names = self.lvalue()
        bit = re.fullmatch(r"\w+\s*\[(\d+)\]", self.text[start : self.tokens[self.at - 1].end])
        dropped = self.peek() == "<="
        if not dropped and self.peek() != "=":
            raise ParseError(f"line {self.text.count(chr(10), 0, start) + 1}: no assignment")
        self.take()
        self.root()
        end = self.take(";").end
        for name in names:
            self.assigned.get((self.scope, name), []).append((end, int(bit.group(1)) if bit else None))
        if dropped:
            self.registers.add(names[0])
            self.statements.append(Statement(start, end))


class Source:
    """A file of rtl/ with all that can be mutated in it."""

    def __init__(self, name, text, ports_of):
        self.name = name
        self.text = text
        self.parsed = Parser(text, ports_of)
        conditions = {id(node) for node in self.parsed.conditions}
        for node, context, scope in self.parsed.roots:
            inside = [n.text for n in walk(node) if n.kind == "reference"]
            for part in walk(node):
                self.propose(part, id(part) in conditions, context, scope, inside, part is node)

    def source(self, node):
        return self.text[node.start : node.end]

    def propose(self, node, is_condition, context, scope, inside, is_root):
        """Fills in the alternatives of one expression."""
        add = node.alternatives.append
        if node.kind == "binary":
            left, right = map(self.source, node.children)
            between = self.text[node.children[0].end : node.children[1].start]
            if node.text in OTHER_OPERATOR:
                add(("operator", left + between.replace(node.text, OTHER_OPERATOR[node.text], 1) + right))
            if node.text in ("&&", "||"):
                add(("operand dropped", left))
                add(("operand dropped", right))
                for child, other in zip(node.children, (right, left)):
                    child.not_swapped = (other,)
        elif node.kind == "unary" and node.text in ("!", "~", "-"):
            add(("operator", self.source(node.children[0])))
        elif node.kind == "unary" and node.text in ("&", "|"):
            add(("operator", OTHER_OPERATOR[node.text] + self.source(node.children[0])))
        elif node.kind == "unary" and node.text == "~|":
            add(("operator", "|" + self.source(node.children[0])))
        elif node.kind == "number":
            for value in other_numbers(node.text):
                add(("constant", value))
        elif node.kind == "reference":
            self.propose_signal(node, context, scope, inside, is_root)
        if is_condition:
            if self.source(node) == "rst":
                node.alternatives = [("reset dropped", "1'b0")]
                return
            if not (node.kind == "unary" and node.text == "!" or node.kind == "binary" and node.text in ("==", "!=")):
                add(("condition inverted", f"!({self.source(node)})"))
            add(("condition stuck", "1'b1"))
            add(("condition stuck", "1'b0"))

    def propose_signal(self, node, context, scope, inside, is_root):
        signal = self.parsed.lookup(node.text, scope)
        if node.text in self.parsed.constants or node.text in NOT_SWAPPED or signal is None or signal.shape == "integer":
            return
        rest = self.text[node.start + len(node.text) : node.end]
        index = re.fullmatch(r"\[(\d+)\]", rest)
        if index and signal.bits:
            high, low = signal.bits
            for other in (int(index.group(1)) + 1, int(index.group(1)) - 1):
                if low <= other <= high and self.parsed.has_value(node.text, scope, node.start, other):
                    node.alternatives.append(("index", f"{node.text}[{other}]"))
        bit = int(index.group(1)) if index else None
        other = self.stand_in(signal, context, scope, [name for name in inside if self.parsed.has_value(name, scope, node.start, bit)], node.start)
        if other in node.not_swapped:
            return
        if other:
            node.alternatives.append(("signal swapped", other + rest))
        elif is_root and not rest and "signed" not in signal.shape:
            node.alternatives.append(("signal stuck", "1'b0"))
            if not signal.shape:
                node.alternatives.append(("signal stuck", "1'b1"))

    def stand_in(self, signal, context, scope, inside, at):
        """Another signal of the same shape whose use closes no combinational loop: one of the same expression, a register, or, where
        a clock edge takes the value, any."""
        names = [
            other.name
            for other in self.parsed.signals.values()
            if other.shape == signal.shape
            and other.is_memory == signal.is_memory
            and self.parsed.aliases.get(other.name, other.name) != self.parsed.aliases.get(signal.name, signal.name)
            and other.name not in NOT_SWAPPED
            and not other.name.startswith("unused")
            and other.scope == scope[: len(other.scope)]
            and (len(other.scope) == len(scope) or context != "function")
            # A function's result, which nothing may read before it is assigned
            and (other.name not in scope or other.name in inside)
            and self.parsed.has_value(other.name, scope, at)
        ]
        near = [name for name in inside if name in names]
        if near:
            return near[0]
        if context == "wired":
            names = [name for name in names if name in self.parsed.registers]
        order = [other.name for other in self.parsed.signals.values()]
        return min(names, key=lambda name: abs(order.index(name) - order.index(signal.name)), default=None)

    def mutations(self, first):
        """All mutations, numbered from `first` in the order of the file."""
        found = [(s.start, s.end, "assignment dropped", "", s) for s in self.parsed.statements]
        for root, _, _ in self.parsed.roots:
            for node in walk(root):
                found += [(node.start, node.end, kind, text, node) for kind, text in node.alternatives]
        unique = {}
        for start, end, kind, text, place in found:
            if text != self.text[start:end]:
                unique.setdefault((start, end, text), (kind, place))
        ordered = sorted(unique.items(), key=lambda item: item[0][:2])
        return [
            Mutation(first + i, self.name, start, end, kind, text, place)
            for i, ((start, end, text), (kind, place)) in enumerate(ordered)
        ]

    def schema(self, mutations, recorded=False):
        """The file with all `mutations` in it; TPU_MUTANT in the environment chooses one. `recorded`: it stays without mutants, but tells the
        simulation's tpu_differs(number, bool) of each mutant whenever its place is evaluated whether the mutant would differ there."""
        for mutation in mutations:
            mutation.place.chosen.append((mutation.number, mutation.replacement))
        edits = []
        for root, _, _ in self.parsed.roots:
            if any(node.chosen for node in walk(root)):
                edits.append((root.start, root.end, self.emit(root, recorded)))
        for statement in self.parsed.statements:
            if statement.chosen:
                register, value = self.text[statement.start : statement.end].rstrip(" ;").split("<=", 1)
                kept = self.condition("!=", statement.chosen[0][0], value, register, recorded)
                edits.append((statement.start, statement.start, f"begin if ({kept}) "))
                edits.append((statement.end, statement.end, " end"))
        chosen = '$c32("(std::getenv(\\"TPU_MUTANT\\") ? std::atoi(std::getenv(\\"TPU_MUTANT\\")) : 0)")'
        if not recorded:
            at = self.parsed.body_at
            edits.append((at, at, f" reg [31:0] tpu_mutant = {chosen};"))
        for mutation in mutations:
            mutation.place.chosen.clear()
        return apply(self.text, edits)

    def emit(self, node, recorded):
        edits = [(child.start - node.start, child.end - node.start, self.emit(child, recorded)) for child in node.children]
        text = apply(self.source(node), edits)
        for number, replacement in node.chosen:
            text = f"(({self.condition('==', number, self.source(node), replacement, recorded)}) ? ({replacement}) : {text})"
        return text

    @staticmethod
    def condition(equality, number, original, replacement, recorded):
        """Whether a mutant is chosen (==), or is not (!=)."""
        if recorded:
            return f'$c1("tpu_differs({number}, ", ({original}) != ({replacement}), ") {equality} 1")'
        return f"tpu_mutant {equality} 32'd{number}"


def apply(text, edits):
    """Replaces text[start:end] for all (start, end, replacement)."""
    # An insertion behind a replaced range stays behind it.
    for start, end, replacement in sorted(edits, key=lambda edit: (edit[0], edit[1]), reverse=True):
        text = text[:start] + replacement + text[end:]
    return text


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


def other_numbers(text):
    """The neighbours of a number, of the same width and sign. None of x: where anything will do, anything does."""
    if text.endswith("x"):
        return []
    match = re.fullmatch(r"(?:(\d+)\s*)?'(s?)([bdhoBDHO])\s*([0-9a-fA-F_]+)", text)
    if not match:
        value = int(text.replace("_", ""))
        return [str(other) for other in (value + 1, value - 1) if other >= 0]
    width, sign, base, digits = match.groups()
    radix = {"b": 2, "o": 8, "d": 10, "h": 16}[base.lower()]
    value = int(digits.replace("_", ""), radix)
    bits = int(width) if width else 32
    others = {(value + 1) % (1 << bits), (value - 1) % (1 << bits)} if value else {1}
    return [f"{width or ''}'{sign}d{other}" for other in sorted(others, reverse=True) if other != value]
