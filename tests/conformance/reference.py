# SPDX-License-Identifier: Apache-2.0
"""TensorFlow Lite Micro in a process of its own, which it may take down with it."""
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
    """TensorFlow Lite Micro does not run the model; the message says what it said."""


def serve(connection):
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
    """The version of TensorFlow Lite Micro that the interpreter `python` imports."""

    def __init__(self, python=sys.executable):
        self.python = python
        self.log = tempfile.TemporaryFile()
        self.process = None

    def start(self):
        self.connection, theirs = multiprocessing.Pipe()
        end = theirs.fileno()
        self.process = subprocess.Popen([self.python, str(pathlib.Path(__file__)), str(end)], stdin=subprocess.DEVNULL, stderr=self.log,
                                        pass_fds=[end])
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
        serve(multiprocessing.connection.Connection(int(sys.argv[1])))
    except EOFError:  # Nobody asks any more.
        pass
