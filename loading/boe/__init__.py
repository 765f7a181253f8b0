"""The BOE's open-data API of consolidated legislation: client, local copies, catalogue, updates."""

BOE_API_URL = "https://www.boe.es/datosabiertos/api/legislacion-consolidada"
