"""How peers take time, as spent.ts has it of ours."""

import time


def stopwatch():
    """A function that returns the seconds that have passed, by the clock and of the processor with all threads."""
    clock, processor = time.perf_counter(), time.process_time()
    return lambda: (time.perf_counter() - clock, time.process_time() - processor)
