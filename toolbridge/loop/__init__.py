"""The loop: ask the model, run the calls of its answer, hand the results back, until none is left.

`conversation` is a generator without I/O that yields what to do (send a `Call`, `Perform` calls
of tools) and takes what came of it; `run` and `arun` are thin drivers of it.
"""

from toolbridge.loop.drive import arun, run
from toolbridge.loop.going_on import aresume, aresume_stream, resume, resume_stream
from toolbridge.loop.live import AsyncRunStream, RunStream, astream, stream
from toolbridge.loop.state import Answered, Finished, Progress, Run, Step

__all__ = [
    "Answered",
    "AsyncRunStream",
    "Finished",
    "Progress",
    "Run",
    "RunStream",
    "Step",
    "aresume",
    "aresume_stream",
    "arun",
    "astream",
    "resume",
    "resume_stream",
    "run",
    "stream",
]
