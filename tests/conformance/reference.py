# SPDX-License-Identifier: Apache-2.0
"""TensorFlow Lite Micro, or LiteRT with XNNPACK, in a process of its own, which it may take down with it."""
import multiprocessing
import multiprocessing.connection
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ARENA_BYTES = 1 << 22
MOST_SECONDS = 20


class Refused(Exception):
    """The library does not run the model; the message says what it said."""


class Micro:
    """TensorFlow Lite Micro."""

    def __init__(self, model):
        from tflite_micro.python.tflite_micro import runtime
        self.interpreter = runtime.Interpreter.from_bytes(model, arena_size=ARENA_BYTES)

    def run(self, inputs, outputs):
        for i, array in enumerate(inputs):
            self.interpreter.set_input(array, i)
        self.interpreter.invoke()
        return [np.array(self.interpreter.get_output(i)) for i in range(outputs)]


class Xnnpack:
    """LiteRT as it comes, which leaves to XNNPACK what that takes."""

    def __init__(self, model):
        from ai_edge_litert.interpreter import Interpreter
        self.interpreter = Interpreter(model_content=model)
        self.interpreter.allocate_tensors()

    def run(self, inputs, outputs):
        for details, array in zip(self.interpreter.get_input_details(), inputs):
            self.interpreter.set_tensor(details["index"], array.reshape(details["shape"]))
        self.interpreter.invoke()
        return [np.array(self.interpreter.get_tensor(details["index"])) for details in self.interpreter.get_output_details()]


LIBRARIES = {"micro": Micro, "xnnpack": Xnnpack}


def serve(connection, library):
    while True:
        model, runs, outputs = connection.recv()
        try:
            interpreter = LIBRARIES[library](model)
            connection.send([interpreter.run(inputs, outputs) for inputs in runs])
        except Exception as error:  # Whatever it is, it is the answer.
            connection.send(f"{type(error).__name__}: {error}")


class Reference:
    """The version of the library that the interpreter `python` imports."""

    def __init__(self, python=sys.executable, library="micro"):
        self.python, self.library = python, library
        self.log = tempfile.TemporaryFile()
        self.process = None

    def start(self):
        self.connection, theirs = multiprocessing.Pipe()
        end = theirs.fileno()
        self.process = subprocess.Popen([self.python, str(pathlib.Path(__file__)), str(end), self.library], stdin=subprocess.DEVNULL,
                                        stderr=self.log, pass_fds=[end])
        theirs.close()

    def said(self):
        """What it has printed since it was asked."""
        self.log.seek(0)
        text = self.log.read().decode(errors="replace")
        self.log.seek(0)
        self.log.truncate()
        return " / ".join(line.strip() for line in text.splitlines() if line.strip())

    def run(self, model, inputs, outputs):
        """The outputs; raises Refused."""
        return self.run_all(model, [inputs], outputs)[0]

    def run_all(self, model, runs, outputs):
        """The outputs of several runs in a row, for the inputs of each; raises Refused."""
        if self.process is None:
            self.start()
        self.connection.send((model, runs, outputs))
        try:
            answer = self.connection.recv() if self.connection.poll(MOST_SECONDS) else "does not end"
        except EOFError:
            answer = f"ends with status {self.process.wait()}"
        said = self.said()
        if isinstance(answer, list):
            return answer
        if self.process.poll() is not None or answer == "does not end":
            self.stop()
        raise Refused(f"{said} / {answer}" if said else answer)

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


if __name__ == "__main__":
    try:
        serve(multiprocessing.connection.Connection(int(sys.argv[1])), sys.argv[2])
    except EOFError:  # Nobody asks any more.
        pass
