"""The permit list of policy.md §18."""

from __future__ import annotations

import copy
import pickle

import pytest

from agentl.kernel.dispatch import dispatch
from agentl.kernel.errors import KernelAbort, PermitError
from agentl.kernel.permit import ExecutionPermit, Issuer, void
from tests.kernel.making import granted, proposed


def test_a_permit_is_not_made_by_hand() -> None:
    with pytest.raises(PermitError):
        ExecutionPermit()
    with pytest.raises(PermitError):
        ExecutionPermit("invoke", target="transfer")
    with pytest.raises(PermitError):

        class Mine(ExecutionPermit):
            pass

        Mine()


def test_an_object_put_together_to_look_like_one_is_forged() -> None:
    real = granted(proposed())
    forged = object.__new__(ExecutionPermit)
    for name in ExecutionPermit.__slots__:
        if name != "__weakref__":
            object.__setattr__(forged, name, getattr(real, name))
    for fake in (forged, object(), None):
        with pytest.raises(PermitError, match="R904"), dispatch(fake):  # type: ignore[arg-type]
            pass
    with dispatch(real):
        pass


def test_nothing_of_it_can_be_changed() -> None:
    permit = granted(proposed())
    for name in ("status", "target", "args", "new"):
        with pytest.raises(PermitError):
            setattr(permit, name, "x")
    with pytest.raises(PermitError):
        del permit.status
    permit.args["amount"] = 10**9
    assert permit.args == {"amount": 40, "to": "ops"}


def test_its_copy_is_itself_and_it_cannot_be_serialised() -> None:
    permit = granted(proposed())
    assert copy.copy(permit) is permit and copy.deepcopy(permit) is permit
    assert copy.deepcopy([permit])[0] is permit
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(PermitError):
            pickle.dumps(permit, protocol)


def test_it_serves_once() -> None:
    permit = granted(proposed())
    with dispatch(permit):
        assert str(permit.status) == "dispatching"
        with pytest.raises(PermitError, match="dispatching"), dispatch(permit):
            pass
    assert permit.status == "spent"
    with pytest.raises(PermitError, match="spent"), dispatch(permit):
        pass


def test_it_is_spent_even_if_the_call_fails() -> None:
    permit = granted(proposed())
    with pytest.raises(RuntimeError), dispatch(permit):
        raise RuntimeError
    assert permit.status == "spent"


def test_a_newer_permit_of_the_same_issuer_revokes_an_unused_one() -> None:
    line = Issuer()
    first, second = granted(proposed(), issuer=line), granted(proposed(), issuer=line)
    other = granted(proposed(), issuer=Issuer())
    assert (first.status, second.status, other.status) == ("void", "issued", "issued")
    with pytest.raises(PermitError, match="void"), dispatch(first):
        pass


def test_revoking_stops_an_unused_permit_and_nothing_else() -> None:
    permit = granted(proposed())
    with dispatch(permit):
        void(permit)
        assert str(permit.status) == "dispatching"
    void(permit)
    assert permit.status == "spent"
    unused = granted(proposed())
    void(unused)
    with pytest.raises(PermitError, match="void"), dispatch(unused):
        pass


def test_every_permit_has_a_nonce_of_its_own() -> None:
    assert len({granted(proposed()).nonce for _ in range(50)}) == 50


def test_a_permit_error_is_an_abort_and_says_what_to_do_in_both_languages() -> None:
    with pytest.raises(KernelAbort) as caught:
        ExecutionPermit()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.text("en") == "only the gate makes permits"
    assert diagnostic.text("fr") == "seule la barrière délivre des permis"
    assert "testing.dispatch" in diagnostic.help("en")


def test_its_text_shows_no_argument() -> None:
    assert repr(granted(proposed(amount=1, to="hunter2"))) == "<permit r7:DESK:t3:a1 invoke transfer issued>"
