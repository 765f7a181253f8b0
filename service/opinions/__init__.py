"""Work products of a conversation: the opinion in Word, and the signed certificate of its sources."""
