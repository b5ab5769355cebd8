import test from 'ava'
import { inThread } from './service/in-thread.js'
import { planted } from './service/planted.js'
import { tryService } from './try-service.js'

/** Most are found by a few hundred requests. */
const requests = 4000

/** A mistake in the log shows only when all have been sent. */
const requestsForLog = 800

/** What has to be said of each mistake. */
const told: Readonly<Record<string, RegExp>> = {
  'a route that throws on null': /a failure of the service: 500 error/,
  'a status that is not declared': /the status 202 is not declared/,
  'a code that is not declared': /the body is not as declared: \/code enum/,
  'a field too many': /unevaluatedProperties \{"unevaluatedProperty":"id"\}/,
  'a field that is missing': /required \{"missingProperty":"attempts"\}/,
  'a number in place of a text': /\/platform_account_number type/,
  'a wrong content type': /the content type text\/plain/,
  'a value that was sent in the text of an error': /a value that was sent is in the refusal/,
  'a stack in the text of an error': /the refusal tells of the inside/,
  'a value that was sent in the log': /a value that was sent is in the log/,
  'a missing Retry-After': /the header retry-after is missing/,
  'a header that is not declared': /the header x-reason is not declared/,
  'a request that is never answered': /hangs/,
  'a crash': /cut off|the service does not run any more/,
  'a body that is accepted though the document refuses it': /accepted that the document refuses/,
  'a body that is refused though it is good': /201 was expected, and 404/,
  'a line that is not answered': /the summary counts|the counts of the summary/,
}

test('each mistake that is planted has its description here', (t) => {
  t.deepEqual(Object.keys(told), Object.keys(planted))
})

for (const [name, form] of Object.entries(told))
  test.serial(`${name} is found by random requests`, async (t) => {
    const { violations, requests: sent } = await tryService(
      await inThread(name),
      { seed: 1, requests: name.endsWith('log') ? requestsForLog : requests, endOnViolation: true },
      5000,
    )
    const faults = violations.flatMap((violation) => violation.faults)
    t.true(
      faults.some((fault) => form.test(fault)),
      `${sent} requests: ${faults.join('; ')}`,
    )
    t.log(`found after ${sent} requests: ${faults[0]}`)
  })

test.serial('without a mistake nothing is found', async (t) => {
  const { violations } = await tryService(await inThread(), { seed: 1, requests: 500 })
  t.deepEqual(violations, [])
})
