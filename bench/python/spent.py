"""How peers take time and memory, as result.ts has it of ours."""

import time


def stopwatch():
    """A function that returns the seconds that have passed, by the clock and of the processor with all threads."""
    clock, processor = time.perf_counter(), time.process_time()
    return lambda: (time.perf_counter() - clock, time.process_time() - processor)


def peak_bytes():
    """The most memory that this process has held."""
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024
