import { canary } from './contract/leaks.js'
import { Exchange } from './exchange.js'
import { hostileRun, type Outcome, type RunOptions } from './run.js'
import type { Service } from './service/service.js'

/** Of the service as a whole, once it is closed. */
const faultsOf = (service: Service, end: string | undefined): readonly string[] => [
  ...(end === undefined ? [] : [`the service does not run any more: ${end}`]),
  ...(service.log().includes(canary) ? ['a value that was sent is in the log'] : []),
]

/** A run against a service, which is closed then; `patienceMilliseconds`: without an answer for so long, it hangs. */
export const tryService = async (
  service: Service,
  options: RunOptions,
  patienceMilliseconds = 60_000,
): Promise<Outcome> => {
  const exchange = new Exchange(service.port, patienceMilliseconds)
  let end: string | undefined
  let outcome: Outcome
  try {
    outcome = await hostileRun(exchange, service.facts, options)
    end = service.ended()
  } finally {
    exchange.close()
    await service.close()
  }
  const faults = faultsOf(service, end)
  if (faults.length > 0) outcome.violations.push({ sequence: -1, request: 'all of them', answer: '', faults })
  return outcome
}
