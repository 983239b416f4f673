"""The engine on CUDA: memory layout, kernels and how they are launched."""
