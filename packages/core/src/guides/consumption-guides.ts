import type { Guides } from '../catalogue/guide.js'
import { addressPath, agreementAt, agreementPath, readingAt, supplyPointPath } from './paths.js'

const reading = (from: string, to: string) => ({
  meter_serial_number: 'M-4471',
  interval_start: `${from}T00:00:00Z`,
  interval_end: `${to}T00:00:00Z`,
  consumption_delta: '212.5',
})

/** Readings, consumption and power. */
export const consumptionGuides = {
  reading_intervals_overlap: {
    means: 'Two readings of the same meter cover the same time. The end of an interval is not included.',
    causes: [
      'An estimated reading was kept beside the actual one.',
      'Daily and monthly values were exported together.',
      'The interval ends at 23:59:59 in one table and at the next midnight in another.',
    ],
    fix: [
      'Keep one value for each interval, the actual one before the estimate.',
      'Let each interval begin where the one before it ends.',
    ],
    at: [`${readingAt}.interval_start`],
    example: {
      in: supplyPointPath,
      bad: { readings: [reading('2025-03-01', '2025-04-01'), reading('2025-03-31', '2025-05-01')] },
      good: { readings: [reading('2025-03-01', '2025-04-01'), reading('2025-04-01', '2025-05-01')] },
    },
    related: ['start_date_same_as_end_date', 'readings_indicate_negative_consumption'],
  },
  readings_indicate_negative_consumption: {
    means: 'The consumption of an interval is below zero.',
    causes: [
      'The difference of two register values was taken across a change or rollover of the meter.',
      'A correction of an estimate was exported as consumption.',
      'Surplus of a solar installation was mixed with consumption.',
    ],
    fix: [
      'Compute the consumption for each meter by itself.',
      'Replace estimate and correction by the corrected value.',
    ],
    at: [`${readingAt}.consumption_delta`],
    example: {
      in: `${supplyPointPath}.readings.0`,
      bad: { consumption_delta: '-12.5' },
      good: { consumption_delta: '212.5' },
    },
    related: ['reading_intervals_overlap'],
  },
  invalid_annual_consumption: {
    means: 'The yearly consumption is no plain decimal number of kWh, or it is negative.',
    causes: ['Points and commas of the country, or the unit, stand in the text.'],
    fix: [
      'Send digits with a point before the decimals: 3250.5.',
      'Leave the field out if the value is not known.',
    ],
    at: [`${agreementAt}.annual_consumption`],
    example: {
      in: agreementPath,
      bad: { annual_consumption: '3.250,5 kWh' },
      good: { annual_consumption: '3250.5' },
    },
    related: ['invalid'],
  },
  contractual_max_power_needs_six_values: {
    means: 'The contracted power is a list of exactly six values in watts, for the periods P1 to P6.',
    causes: [
      'Household tariffs have two power periods, and only these were exported.',
      'A single value of an old contract was sent.',
    ],
    fix: ['Repeat the value of the last period until there are six.', 'Send watts: 4.6 kW is 4600.'],
    at: ['supply_addresses.N.supply_points.N.agreements.N.contractual_max_power'],
    example: {
      in: agreementPath,
      bad: { contractual_max_power: [4600, 4600] },
      good: { contractual_max_power: [4600, 4600, 4600, 4600, 4600, 4600] },
    },
    related: ['contractual_max_power_not_ascending', 'contractual_max_power_over_tariff_limit'],
  },
  supply_address_without_supply_points: {
    means: 'The list of supply points at this address is empty.',
    causes: [
      'The supply point was terminated and left out, but its address stayed.',
      'The join by address failed because of different spellings.',
    ],
    fix: ['Export the supply points of the address.', 'Leave the address out if nothing is supplied there.'],
    at: ['supply_addresses.N.supply_points'],
    example: {
      in: addressPath,
      bad: { supply_points: [] },
      good: {
        supply_points: [
          {
            identifier: 'ES0021000012345678LB',
            supply_type: 'ELECTRICITY',
            supply_start_date: '2024-01-01',
            agreements: [{ tariff_code: 'LUZ-2024', effective_from: '2024-01-01' }],
          },
        ],
      },
    },
    related: ['supply_point_with_no_agreement', 'duplicate_supply_addresses_found'],
  },
} satisfies Guides
