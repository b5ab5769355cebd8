import { parseArgs } from 'node:util'
import { databaseBackends, onBackend } from '../support/on-backend.js'
import { saveRun, summaryOf, tableOf } from './report.js'
import { served } from './service/served.js'
import { tryService } from './try-service.js'

const usage = `npm run hostile -- [options]
Sends random requests, made from the OpenAPI document, to a server of its own, and holds every answer to the document: no 5xx
because of what was sent, no crash, no undeclared status, header, content type or body, no value that was sent in a refusal or the log.
  --requests N  1 to 100000000 (20000)
  --seed S      a whole number (another one each time)
  --from N      the first sequence of the run (0); with --lanes 1 and --requests 40 it repeats one sequence
  --lanes N     sequences under way at one time, 1 to 6 (6)
  --on NAME     ${databaseBackends.join(' or ')} (sqlite)
  --save        writes the figures into docs/reference/hostile-input.md`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    lanes: { type: 'string', default: '6' },
    on: { type: 'string', default: 'sqlite' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
const [requests = 0, from = 0, lanes = 0] = [values.requests, values.from, values.lanes].map(Number)
const backend = databaseBackends.find((each) => each === values.on)
const isWrong = (number: number, least: number, most: number): boolean =>
  !Number.isSafeInteger(number) || number < least || number > most
const shownViolations = 20

if (values.help) console.log(usage)
else if (
  backend === undefined ||
  isWrong(seed, 0, 2 ** 31) ||
  isWrong(requests, 1, 1e8) ||
  isWrong(from, 0, 2 ** 31) ||
  isWrong(lanes, 1, 6)
) {
  console.error(usage)
  process.exitCode = 2
} else {
  console.log(`seed ${seed}, on ${backend}`)
  const began = performance.now()
  const outcome = await onBackend[backend](async (url) =>
    tryService(await served(url), { seed, requests, from, lanes }),
  )
  const milliseconds = performance.now() - began
  console.log(`${tableOf(outcome)}\n\n${summaryOf(outcome, milliseconds)}`)
  for (const { sequence, request, answer, faults } of outcome.violations.slice(0, shownViolations))
    console.error(`\nsequence ${sequence}: ${faults.join('; ')}\n  ${request}\n  ${answer}`)
  if (outcome.violations.length > 0) process.exitCode = 1
  if (values.save) saveRun(`${backend}, seed ${seed}`, outcome, milliseconds)
}
