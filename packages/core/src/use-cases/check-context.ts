import type { ImportSupplier } from '../domain/import-supplier.js'
import { initialSettings } from '../validation/initial-settings.js'
import type { Ports } from '../ports/index.js'
import type { CheckContext } from '../validation/check.js'
import { today } from '../values/today.js'

/**
 * What the rules need besides the payload: the supplier's settings (the built-in ones where there is no such supplier)
 * and the service's day, read once for a request.
 */
export const checkContext = (
  { clock, settings }: Pick<Ports, 'clock' | 'settings'>,
  supplier: ImportSupplier | undefined,
): CheckContext => ({
  settings: supplier?.settings ?? initialSettings(settings.markets),
  defaultCountry: settings.defaultCountry,
  today: today(clock.now(), settings.timeZone),
})
