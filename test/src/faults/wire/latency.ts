import { bulkProcessing, bulkStaging, counted, processing, staging } from './requests.js'
import { onWire, verified } from './sending.js'
import { wireRun, type WireRun } from './wire-run.js'

/** Milliseconds that the database is away, each way. */
const delay = 25

/** Single requests of each kind, which come at once. */
const crowd = 40

/** Lets the database be far away from a crowd of requests: all have to be done, and none refused. */
export const latencyRun = (url: string): Promise<WireRun> =>
  onWire(
    url,
    'database',
    async (sending) => {
      const kinds = [
        ...Array.from({ length: crowd }, () => [staging, processing]).flat(),
        bulkStaging,
        bulkProcessing,
      ]
      const requests = await Promise.all(kinds.map((fresh) => counted(fresh)(sending)))
      const told = await Promise.all(requests.map((request) => request()))
      const faults = told.flatMap((each) =>
        each === 'done' ? [] : [typeof each === 'string' ? each : each.fault],
      )
      // Nothing is lost, so there is nothing to recover from.
      const injected = { injected: kinds.length, slowestRecoveryMilliseconds: 0, faults }
      return wireRun(sending, injected, await verified(sending))
    },
    { delay },
  )
