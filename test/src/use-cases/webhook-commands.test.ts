import test from 'ava'
import type { Ports } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { plusSeconds } from '@account-import/core/testing'
import { changed, left, organisation, right, service } from './support/service.js'
import { delivered, failed, openRun, url, withWebhook } from './support/webhooks.js'

test('both secrets sign during a rotation, the old one until its end', async (t) => {
  const { useCases, clock, messages, secret, id } = await withWebhook()
  const rotated = await right(useCases.operator.rotateWebhook({ id, overlapSeconds: 60 }))
  t.is(rotated.previousEndsAt, plusSeconds(clock.now(), 60))
  for (const seconds of [59, 1]) {
    clock.pass(seconds)
    await openRun(useCases)
    await delivered(useCases, id)
  }
  t.deepEqual(
    messages.map(({ secrets }) => secrets),
    [[rotated.secret, secret], [rotated.secret]],
  )
  for (const each of [secret, rotated.secret]) {
    t.regex(each, /^whsec_[A-Za-z0-9+/]{43}=$/)
    t.is(Buffer.from(each.slice('whsec_'.length), 'base64').length, 32)
  }
  const usual = await right(useCases.operator.rotateWebhook({ id }))
  t.is(usual.previousEndsAt, plusSeconds(clock.now(), 24 * 3600))
})

test('a test is sent at once, also to a disabled webhook, and returns the response', async (t) => {
  const { useCases, clock, messages, answer, id, secret } = await withWebhook()
  answer.next = failed('redirect')
  t.deepEqual(await right(useCases.operator.testWebhook(id)), answer.next)
  t.deepEqual(JSON.parse(messages[0]?.body ?? ''), {
    type: 'webhook.test',
    timestamp: '2025-09-01T10:00:00Z',
    data: {},
  })
  t.like(messages[0], { url, at: clock.now(), secrets: [secret] })
  t.regex(messages[0]?.id ?? '', /^msg_test_[A-Za-z0-9]{16}$/)
})

test('a webhook needs an organisation, known events and an allowed address, and is shown without its secrets', async (t) => {
  const { useCases, id } = await withWebhook()
  const { operator } = useCases
  const add = (input: object) => operator.addWebhook({ organisation, url, ...input })
  t.like(await left(add({ organisation: 'NOBODY' })), { _tag: 'DoesNotExist', subject: 'organisation' })
  t.like(await left(add({ url: 'http://hooks.example/' })), {
    _tag: 'InputNotValid',
    errors: [{ code: 'invalid', attr: 'url' }],
  })
  t.like(await left(add({ events: ['run.paused'] })), {
    errors: [{ code: 'invalid_choice', attr: 'events.0' }],
  })
  const one = await right(add({ events: ['run.finished', 'run.finished'] }))
  t.deepEqual(one.webhook.events, ['run.finished'])
  const listed = await right(operator.listWebhooks())
  t.deepEqual(listed.map((webhook) => webhook.id).toSorted(), [id, one.webhook.id].toSorted())
  t.notRegex(JSON.stringify(listed), /whsec_|key=k1|imports/)
  t.deepEqual(await right(operator.removeWebhook(id)), { id })
  const missing = { _tag: 'DoesNotExist', subject: 'webhook', name: id }
  t.like(await left(operator.removeWebhook(id)), missing)
  t.like(await left(operator.testWebhook(id)), missing)
  t.like(await left(operator.rotateWebhook({ id })), missing)
})

test('a webhook that is removed during a rotation is not stored again', async (t) => {
  const { ports, id } = await withWebhook()
  const changeSecrets: Ports['webhooks']['changeSecrets'] = async (...change) => {
    await right(ports.webhooks.remove(id))
    return ports.webhooks.changeSecrets(...change)
  }
  const { operator } = makeUseCases(changed(ports, 'webhooks', { changeSecrets }))
  t.like(await left(operator.rotateWebhook({ id })), { _tag: 'DoesNotExist' })
})

test('the later of two concurrent rotations keeps the secret of the earlier one beside its own', async (t) => {
  const { useCases, id, messages } = await withWebhook()
  const rotate = () => right(useCases.operator.rotateWebhook({ id, overlapSeconds: 60 }))
  const rotated = await Promise.all([rotate(), rotate()])
  await right(useCases.operator.testWebhook(id))
  t.deepEqual(messages[0]?.secrets.toSorted(), rotated.map(({ secret }) => secret).toSorted())
})

test('an address that is given as an id is reported and recorded without possible secrets', async (t) => {
  const { useCases } = await withWebhook()
  const { operator } = useCases
  for (const [typed, name] of [
    ['https://u:pass@hooks.example:8443/T0/key-1?token=k1', 'https://hooks.example:8443'],
    ['hooks.example/T0/key-1', 'hooks.example'],
  ] as const)
    for (const command of [
      operator.testWebhook(typed),
      operator.removeWebhook(typed),
      operator.rotateWebhook({ id: typed }),
    ])
      t.like(await left<object, unknown>(command), { _tag: 'DoesNotExist', name })
  const entries = []
  for await (const page of await right(useCases.audit.list({}))) entries.push(page)
  const text = JSON.stringify(entries)
  t.true(
    text.includes('testWebhook hooks.example') && text.includes('rotateWebhook https://hooks.example:8443'),
  )
  t.notRegex(text, /key-1|pass|k1/)
})

test('commands for a webhook are recorded with its organisation, without address and secret', async (t) => {
  const { useCases, id, secret } = await withWebhook()
  await right(useCases.operator.testWebhook(id))
  await right(useCases.operator.rotateWebhook({ id }))
  await right(useCases.operator.removeWebhook(id))
  const entries = []
  for await (const page of await right(useCases.audit.list({ organisation })))
    if (E.isRight(page)) entries.push(...page.right.map(({ entry }) => entry))
  const subjects = entries.filter(({ what }) => what === 'command_done').map(({ subject }) => subject)
  const ofWebhooks = subjects.filter((subject) => subject?.includes('Webhook'))
  t.deepEqual(ofWebhooks, [
    `addWebhook ${organisation}`,
    `testWebhook ${id}`,
    `rotateWebhook ${id}`,
    `removeWebhook ${id}`,
  ])
  t.false(JSON.stringify(entries).includes(secret) || JSON.stringify(entries).includes('hooks.example'))
})

test('no webhook can be added without a sender', async (t) => {
  const { useCases } = await service()
  t.false(useCases.webhooks.canSend)
  t.like(await left(useCases.operator.addWebhook({ organisation, url })), { _tag: 'InputNotValid' })
})
