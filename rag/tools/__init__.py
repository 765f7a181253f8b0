"""The six document tools of agent and inspector: XML calls in, results and text out."""
