"""The engine on CUDA: memory layout, kernels and launches. See docs/gpu-internals.md."""
