import { collectDefaultMetrics, Registry } from 'prom-client'

let kept: Registry | undefined

/** What the process itself shows: memory, processor, delays of the event loop. One registry, however many servers run in it. */
export const processMetrics = (): Registry => {
  if (kept === undefined) {
    kept = new Registry()
    collectDefaultMetrics({ register: kept })
  }
  return kept
}
