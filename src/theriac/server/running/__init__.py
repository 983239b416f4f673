"""Running the process: metrics, logs, background tasks, memory, compiled rules."""
