"""The benchmark of Servery beside other servers: see ../README.md. Standard library only."""
