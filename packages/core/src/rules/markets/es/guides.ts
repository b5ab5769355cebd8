import type { Guides } from '../../../catalogue/guide.js'

const supplyPoint = 'supply_addresses.0.supply_points.0'
const supplyPointAt = 'supply_addresses.N.supply_points.N'
const agreement = { tariff_code: 'LUZ-2024', effective_from: '2024-01-01' }

/** Guides to the checks of Spanish identifiers, codes and access tariffs. */
export const guides = {
  invalid_supply_point_identifier: {
    means:
      'The identifier of a supply point in Spain is no CUPS: ES, 16 digits, two check letters computed from the digits, and perhaps a digit and a letter for the border point.',
    causes: [
      'A digit was mistyped, so the check letters do not fit.',
      'The check letters were cut off, or an internal number was sent.',
    ],
    fix: [
      'Copy the CUPS from a bill or from the file of the distributor.',
      'Do not compute new check letters for wrong digits: the letters show that a digit is wrong.',
    ],
    at: [`${supplyPointAt}.identifier`],
    example: {
      in: supplyPoint,
      bad: { identifier: 'ES0021000012345678LC' },
      good: { identifier: 'ES0021000012345678LB' },
    },
    related: ['distributor_ree_code_mismatch', 'duplicate_supply_points_found'],
  },
  invalid_distributor_ree_code: {
    means: 'The code of the distributor is not four digits.',
    causes: [
      'A numeric column lost its leading zeros: 0021 became 21.',
      'The name of the distributor was sent.',
    ],
    fix: [
      'Export the code as text with four digits.',
      'It equals characters 3 to 6 of the CUPS, unless distributors have merged.',
    ],
    at: [`${supplyPointAt}.distributor_ree_code`],
    example: { in: supplyPoint, bad: { distributor_ree_code: '21' }, good: { distributor_ree_code: '0021' } },
    related: ['distributor_ree_code_mismatch'],
  },
  distributor_ree_code_mismatch: {
    means: 'The code of the distributor differs from the one inside the CUPS.',
    causes: [
      'Distributors have merged: the CUPS keeps the old code, and the warning can be left.',
      'The code was assigned by region and not by supply point.',
    ],
    fix: [
      'Compare with the file of the distributor.',
      'Correct the code, or the CUPS if the supply point is another one.',
    ],
    at: [`${supplyPointAt}.distributor_ree_code`],
    example: {
      in: supplyPoint,
      bad: { distributor_ree_code: '0022' },
      good: { distributor_ree_code: '0021' },
    },
    related: ['invalid_distributor_ree_code', 'invalid_supply_point_identifier'],
  },
  invalid_postcode: {
    means: 'The postal code of an address in Spain is not five digits that begin with a province, 01 to 52.',
    causes: [
      'A numeric column lost the leading zero of the provinces 01 to 09: 08001 became 8001.',
      'The address is abroad and its country says ES.',
    ],
    fix: ['Export the code as text with five digits.', 'Correct the country if the address is abroad.'],
    at: ['supply_addresses.N.supply_address.postal_code'],
    example: {
      in: 'supply_addresses.0',
      bad: { supply_address: { postal_code: '8001', country: 'ES' } },
      good: { supply_address: { postal_code: '08001', country: 'ES' } },
    },
    related: ['invalid_choice'],
  },
  invalid_cnae: {
    means: 'The activity code of an agreement in Spain is not four digits.',
    causes: [
      'The code was written with a point (98.20), or with its description.',
      'Only the group of two or three digits is known.',
    ],
    fix: [
      'Send the four digits without points; households have 9820.',
      'Leave the field out if the code is not known.',
    ],
    at: [`${supplyPointAt}.agreements.N.cnae`],
    example: { in: `${supplyPoint}.agreements.0`, bad: { cnae: '98.20' }, good: { cnae: '9820' } },
    related: ['max_length'],
  },
  unknown_atr_tariff: {
    means:
      'The access tariff is not known for the supply type, neither by its name nor by its code in the files of the market.',
    causes: [
      'The suffix is missing: 2.0 instead of 2.0TD.',
      'A gas tariff stands on an electricity supply point, or the other way round.',
      'The commercial tariff was sent.',
    ],
    fix: ['Send the name of the access tariff (2.0TD, RL.2) or its code (018, R2).', 'Check supply_type.'],
    at: [`${supplyPointAt}.atr_tariffs.N.value`],
    example: {
      in: supplyPoint,
      bad: { atr_tariffs: [{ value: '2.0', valid_from: '2024-01-01' }] },
      good: { atr_tariffs: [{ value: '2.0TD', valid_from: '2024-01-01' }] },
    },
    related: ['duplicate_atr_tariff_dates', 'contractual_max_power_over_tariff_limit'],
  },
  contractual_max_power_over_tariff_limit: {
    means:
      'The access tariff in force when the agreement begins is 2.0TD, which ends at 15 000 watts, and a period has more.',
    causes: [
      'The power is in another unit.',
      'The supply point moved to 3.0TD and the change is missing in atr_tariffs.',
    ],
    fix: ['Send watts: 4.6 kW is 4600.', 'Add the access tariff that was in force.'],
    at: [`${supplyPointAt}.agreements.N.contractual_max_power`],
    example: {
      in: supplyPoint,
      bad: {
        atr_tariffs: [{ value: '2.0TD', valid_from: '2024-01-01' }],
        agreements: [{ ...agreement, contractual_max_power: [17250, 17250, 17250, 17250, 17250, 17250] }],
      },
      good: {
        atr_tariffs: [{ value: '3.0TD', valid_from: '2024-01-01' }],
        agreements: [{ ...agreement, contractual_max_power: [17250, 17250, 17250, 17250, 17250, 17250] }],
      },
    },
    related: ['contractual_max_power_not_ascending', 'unknown_atr_tariff'],
  },
  contractual_max_power_not_ascending: {
    means:
      'With the access tariffs 3.0TD and 6.1TD to 6.4TD no period may have less power than the period before it, P1 to P6.',
    causes: [
      'The periods were exported in the order of the old tariffs, with P1 last.',
      'The list was filled up with zeros.',
    ],
    fix: [
      'Send the values in the order P1 to P6.',
      'Repeat the last value where periods are missing; do not fill up with zeros.',
    ],
    at: [`${supplyPointAt}.agreements.N.contractual_max_power`],
    example: {
      in: supplyPoint,
      bad: {
        atr_tariffs: [{ value: '3.0TD', valid_from: '2024-01-01' }],
        agreements: [{ ...agreement, contractual_max_power: [20000, 20000, 20000, 0, 0, 0] }],
      },
      good: {
        atr_tariffs: [{ value: '3.0TD', valid_from: '2024-01-01' }],
        agreements: [{ ...agreement, contractual_max_power: [20000, 20000, 20000, 20000, 20000, 25000] }],
      },
    },
    related: ['contractual_max_power_needs_six_values', 'contractual_max_power_over_tariff_limit'],
  },
  invalid_fiscal_code: {
    means:
      'The user detail fiscal_code is no Spanish NIF, NIE or company code: its form or its check character is wrong.',
    causes: [
      'A digit was mistyped, or the letter guessed.',
      'The document is a passport or a foreign number.',
      'A leading zero was lost.',
    ],
    fix: [
      'Check the number with the customer; 12345678 has the letter Z and no other.',
      'Give passports and foreign numbers a namespace of their own.',
    ],
    at: ['customers.N.user_details.N.value'],
    example: {
      in: 'customers.0',
      bad: { user_details: [{ namespace: 'fiscal_code', value: '12345678A' }] },
      good: { user_details: [{ namespace: 'fiscal_code', value: '12345678Z' }] },
    },
    related: ['duplicate_user_details'],
  },
} satisfies Guides
