import { millisecondsOf, steadyClock } from '@account-import/core'
import test from 'ava'
import { organisation, refusalOf, right, service } from './support/service.js'

/** A machine whose clock can be put, beside the time that really passes. */
const machine = () => {
  let [wall, elapsed] = [Date.parse('2025-09-01T10:00:00Z'), 5000]
  const clock = steadyClock(
    () => wall,
    () => elapsed,
  )
  return {
    clock,
    told: () => millisecondsOf(clock.now()),
    pass: (seconds: number) => {
      wall += seconds * 1000
      elapsed += seconds * 1000
    },
    put: (seconds: number) => {
      wall += seconds * 1000
    },
  }
}

test('a clock that is put back goes on as if it had not been, one that is put forward is followed', (t) => {
  const { told, pass, put } = machine()
  const start = told()
  pass(10)
  t.is(told(), start + 10_000)
  put(-3600)
  t.is(told(), start + 10_000)
  pass(5)
  t.is(told(), start + 15_000, 'it does not stand still either')
  put(3600)
  t.is(told(), start + 15_000)
  put(60)
  t.is(told(), start + 75_000)
})

test('a clock that is put back prolongs neither a token nor the key behind it', async (t) => {
  const { clock, pass, put } = machine()
  const { useCases } = await service({ clock })
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const { token } = await right(useCases.obtainToken({ credentials: { apiKey }, address: 'here' }))
  pass(1800)
  put(-86_400)
  await right(useCases.authenticate(token))
  pass(1800)
  t.is(await refusalOf(useCases.authenticate(token)), 'TokenExpired')
})
