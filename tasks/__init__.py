"""One folder a stage: pure modules, no orchestration."""
