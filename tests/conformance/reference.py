# SPDX-License-Identifier: Apache-2.0
"""TensorFlow Lite Micro in a process of its own, which it may take down with it."""
import multiprocessing
import os
import tempfile

import numpy as np

ARENA_BYTES = 1 << 22
MOST_SECONDS = 20
MOST_FILES = 256


class Refused(Exception):
    """TensorFlow Lite Micro does not run the model; the message says what it said."""


def serve(connection, log):
    os.dup2(log, 2)
    # Inherited ends of pipes would keep others from seeing that their partner has ended.
    os.closerange(3, connection.fileno())
    os.closerange(connection.fileno() + 1, MOST_FILES)
    from tflite_micro.python.tflite_micro import runtime
    while True:
        model, runs, outputs = connection.recv()
        try:
            interpreter = runtime.Interpreter.from_bytes(model, arena_size=ARENA_BYTES)
            results = []
            for inputs in runs:
                for i, array in enumerate(inputs):
                    interpreter.set_input(array, i)
                interpreter.invoke()
                results.append([np.array(interpreter.get_output(i)) for i in range(outputs)])
            connection.send(results)
        except Exception as error:  # Whatever it is, it is the answer.
            connection.send(f"{type(error).__name__}: {error}")


class Reference:
    def __init__(self):
        self.log = tempfile.TemporaryFile()
        self.process = None

    def start(self):
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, self.log.fileno()), daemon=True)
        self.process.start()
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
            self.process.join()
            answer = f"ends with status {self.process.exitcode}"
        said = self.said()
        if isinstance(answer, list):
            return answer
        if not self.process.is_alive() or answer == "does not end":
            self.stop()
        raise Refused(f"{said} / {answer}" if said else answer)

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None
