"""The tools of agent and inspector, for documents and calculations: XML calls in, results and text out."""
