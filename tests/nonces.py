"""The nonces of a client, as every client keeps them: committed to first, revealed afterwards."""

from __future__ import annotations

from typing import Any

from theriac.sealed_deal import seat_commitment


class Nonces:
    """The nonces that a client has committed to, by commitment."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def commit(self, table_commitment: str, seat: int, nonce: str) -> dict[str, str]:
        """Commit to a nonce: the fields of `sit` and `ready`."""
        commitment = seat_commitment(table_commitment, seat, nonce)
        self._kept[commitment] = nonce
        return {"commitment": commitment, "to": table_commitment}

    def to_reveal(self, table_info: Any) -> str | None:
        """The nonce that a sealed deal waits for; None if it waits for none of this client."""
        sealed = table_info.get("sealed") or {}
        for seat in sealed.get("missing", ()):
            nonce = self._kept.get(sealed["deal"]["commitments"][seat])
            if nonce is not None:
                return nonce
        return None
