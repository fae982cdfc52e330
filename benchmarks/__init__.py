"""How fast Yamb is, measured: `python3 dev.py bench`. Figures and how to read them: docs/benchmarks.md."""
