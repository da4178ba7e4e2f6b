import pytest

from tau2.domains.telecom.environment import get_environment_manual_policy

DISABLED = "Data Disabled"


@pytest.mark.parametrize("is_on", [True, False])
def test_data_is_shown_as_disabled_only_if_it_is(is_on: bool):
    phone = get_environment_manual_policy().user_tools
    phone.unseat_sim_card()
    phone.device.data_enabled = is_on
    assert (DISABLED in phone.check_status_bar()) is not is_on
