import test from 'ava'
import { onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { mariaDbAvailable } from '../servers/index.js'
import { seed } from '../support/properties.js'
import { summaryOf } from './report.js'
import { served } from './service/served.js'
import { tryService } from './try-service.js'

const requestsOn: Readonly<Record<DatabaseBackend, number>> = { sqlite: 18_000, mariadb: 2000 }

const backends: readonly DatabaseBackend[] = mariaDbAvailable() ? ['sqlite', 'mariadb'] : ['sqlite']

for (const backend of backends)
  test.serial(
    `every answer to random requests is as the OpenAPI document declares it, on ${backend}`,
    async (t) => {
      t.timeout(900_000)
      const began = performance.now()
      const outcome = await onBackend[backend](async (url) =>
        tryService(await served(url), { seed, requests: requestsOn[backend] }, 120_000),
      )
      t.log(`seed ${seed}: ${summaryOf(outcome, performance.now() - began)}`)
      const violations = outcome.violations.slice(0, 10)
      t.deepEqual(violations, [], `repeat it by: npm run hostile -- --on ${backend} --seed ${seed}`)
      t.true(outcome.answers.size > 100 && outcome.codes.size > 50)
    },
  )
