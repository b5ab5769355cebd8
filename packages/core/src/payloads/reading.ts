import { datetime, decimalText, integer, key, optional, refine, required, struct } from '../codec/index.js'
import { scanDecimal } from '../values/decimal.js'

const consumption = refine(
  decimalText({ whole: 12, decimals: 6 }),
  'readings_indicate_negative_consumption',
  (sent) => scanDecimal(sent)?.isNegative === false,
)

/** What a meter counted in an interval, which begins inclusive and ends exclusive. */
export const reading = struct('reading', {
  meter_serial_number: required(key(64)),
  interval_start: required(datetime),
  interval_end: required(datetime),
  consumption_delta: required(consumption),
  source: optional(integer(0, 9999)),
})
