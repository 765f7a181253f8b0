"""The answering engine: values, ports, stages and adapters. Never imports Streamlit or SQLAlchemy."""
