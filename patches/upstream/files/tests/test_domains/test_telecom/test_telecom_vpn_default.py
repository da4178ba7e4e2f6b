from tau2.domains.telecom.environment import get_environment_manual_policy
from tau2.domains.telecom.user_data_model import PerformanceLevel


def test_a_broken_vpn_stays_in_its_environment():
    broken = get_environment_manual_policy().user_tools
    broken.break_vpn()
    assert broken.device.vpn_details.server_performance == PerformanceLevel.POOR

    fresh = get_environment_manual_policy().user_tools
    fresh.connect_vpn()
    assert fresh.device.vpn_details.server_performance == PerformanceLevel.EXCELLENT


def test_a_vpn_that_is_connected_again_is_whole():
    tools = get_environment_manual_policy().user_tools
    tools.break_vpn()
    tools.disconnect_vpn()
    tools.connect_vpn()
    assert tools.device.vpn_details.server_performance == PerformanceLevel.EXCELLENT
