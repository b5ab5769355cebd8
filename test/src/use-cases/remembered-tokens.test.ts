import test from 'ava'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { organisation, refusalOf, right, service, settableClock } from './support/service.js'

test('the signature of a token is checked once; a changed token is checked, and refused, each time', async (t) => {
  const clock = settableClock()
  const { accessTokens } = inMemoryPorts({ clock })
  const checked: string[] = []
  const { useCases } = await service({
    clock,
    accessTokens: {
      ...accessTokens,
      verify: (token, at) => {
        checked.push(token)
        return accessTokens.verify(token, at)
      },
    },
  })
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const { token } = await right(useCases.obtainToken({ credentials: { apiKey }, address: '192.0.2.1' }))
  for (let request = 0; request < 5; request += 1)
    t.is((await right(useCases.authenticate(token))).organisation, organisation)
  t.deepEqual(checked, [token])
  const changed = `${token}x`
  for (let request = 0; request < 2; request += 1)
    t.is(await refusalOf(useCases.authenticate(changed)), 'AuthenticationFailed')
  t.deepEqual(checked, [token, changed, changed])
  clock.pass(3600)
  t.is(await refusalOf(useCases.authenticate(token)), 'TokenExpired')
})
