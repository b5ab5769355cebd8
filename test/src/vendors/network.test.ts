import test from 'ava'
import { mayBeAsked, type Resolve } from '@account-import/adapter-payment-vendor'
import type { LookupAddress } from 'node:dns'
import { setTimeout } from 'node:timers/promises'
import { switchVerificationOff } from '../support/unverified-tls.js'
import {
  type FailureCase,
  failureCases,
  opensBreaker,
  runFailureCase,
  wrongIn,
} from './support/failure-cases.js'
import { httpJsonKind, vendorKinds } from './support/vendor-kinds.js'
import { answering, outcomeOf, type VendorServer } from './support/vendor-server.js'

const resolvingTo =
  (...addresses: readonly string[]): Resolve =>
  (_name, _options, found) =>
    found(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

const named = ({ origin }: VendorServer): string => origin.replace('127.0.0.1', 'vendor.example')

for (const kind of vendorKinds) {
  test(`${kind.name}: a failure of the name server is temporary`, async (t) => {
    const failing: Resolve = (_name, _options, found) =>
      found(Object.assign(new Error(), { code: 'ESERVFAIL' }), [])
    const client = kind.client('https://vendor.example', { resolve: failing })
    t.is(await outcomeOf(client, kind.reference), 'connection')
  })

  test(`${kind.name}: a vendor without TLS when TLS is configured is unexpected`, async (t) => {
    const server = await answering(t, kind.good)
    const client = kind.client(server.origin.replace('http:', 'https:'))
    t.is(await outcomeOf(client, kind.reference), 'connection')
  })

  test(`${kind.name}: an address of the own network is called when that is configured, by address or name`, async (t) => {
    const server = await answering(t, kind.good)
    t.is(await outcomeOf(kind.client(server.origin), kind.reference), 'verified')
    const byName = kind.client(named(server), { resolve: resolvingTo('127.0.0.1') })
    t.is(await outcomeOf(byName, kind.reference), 'verified')
  })
}

test('a self-signed certificate is refused, for any environment', async (t) => {
  switchVerificationOff(t)
  for (const kind of vendorKinds) {
    const server = await answering(t, kind.good, { tls: true })
    t.is(await outcomeOf(kind.client(server.origin), kind.reference), 'certificate', kind.name)
    t.deepEqual(server.requests, [])
  }
})

test('an address of the own network is not connected to unless that is configured', async (t) => {
  const server = await answering(t, httpJsonKind.good)
  const literal = httpJsonKind.client(server.origin, { allowPrivateAddress: false })
  t.is(await outcomeOf(literal, 'ref-1'), 'address')
  for (const host of ['[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '127.1']) {
    const other = server.origin.replace('127.0.0.1', host)
    const client = httpJsonKind.client(other, { allowPrivateAddress: false })
    t.is(await outcomeOf(client, 'ref-1'), 'address', host)
  }
  for (const addresses of [['127.0.0.1'], ['::1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], []]) {
    const options = { allowPrivateAddress: false, resolve: resolvingTo(...addresses) }
    t.is(await outcomeOf(httpJsonKind.client(named(server), options), 'ref-1'), 'address', addresses.join())
  }
  t.is(server.connections(), 0)
})

test('a name is resolved once for a connection, so that a second answer of the resolver changes nothing', async (t) => {
  const server = await answering(t, httpJsonKind.good)
  let asked = 0
  const changing: Resolve = (name, options, found) => {
    asked += 1
    resolvingTo(asked === 1 ? '127.0.0.1' : '169.254.169.254')(name, options, found)
  }
  const client = httpJsonKind.client(named(server), { resolve: changing })
  t.is(await outcomeOf(client, 'ref-1'), 'verified')
  t.is(await outcomeOf(client, 'ref-1'), 'verified')
  t.is(asked, 1)
  t.is(server.connections(), 1)
})

test('calls that connect during a name look-up share its result', async (t) => {
  const server = await answering(t, httpJsonKind.good)
  const looks: (() => void)[] = []
  let address = '127.0.0.1'
  const slow: Resolve = (...asked) => {
    looks.push(() => resolvingTo(address)(...asked))
  }
  const client = httpJsonKind.client(named(server), { resolve: slow })
  const together = async (): Promise<readonly string[]> => {
    const outcomes = Array.from({ length: 10 }, () => outcomeOf(client, 'ref-1'))
    await setTimeout(50)
    t.is(looks.length, 1)
    looks.pop()?.()
    return Promise.all(outcomes)
  }
  address = '169.254.169.254'
  t.deepEqual(await together(), Array<string>(10).fill('address'))
  address = '127.0.0.1'
  t.deepEqual(await together(), Array<string>(10).fill('verified'))
})

test('public addresses are allowed, those of other networks only when configured', (t) => {
  const isPublic = '8.8.8.8 1.1.1.1 100.63.255.255 172.32.0.1 2606:4700::1111 64:ff9b::808:808'
  const notPublic = `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1 224.0.0.1
    255.255.255.255 :: ::1 fc00::1 fd12::1 ff02::1 2001:db8::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1:: 2001::1
    ::10.0.0.1 100::1`
  // Addresses of a cloud's machine, and texts that are no address.
  const never = `169.254.0.1 169.254.169.254 168.63.129.16 fe80::1 64:ff9b::a9fe:a9fe 64:ff9b:1::a9fe:a9fe 192.0.0.192
    ::a9fe:a9fe ::169.254.169.254 2002:a9fe:a9fe:: 2002:a9fe:a9fe::1 2002:6464:64c8:1::5 2002:a83f:8110:: ::6464:64c8
    64:ff9b:1:a9fe:a9:fe00:: 64:ff9b:1:aa:a9fe:a9fe::
    fd20:ce::254 fd00:ec2::254 100.100.100.200 ::ffff:169.254.169.254 vendor.example`
  const both = (address: string) => [mayBeAsked(address, false), mayBeAsked(address, true)]
  for (const address of isPublic.split(/\s+/)) t.deepEqual(both(address), [true, true], address)
  for (const address of notPublic.split(/\s+/)) t.deepEqual(both(address), [false, true], address)
  for (const address of [...never.split(/\s+/), '']) t.deepEqual(both(address), [false, false], address)
})

test('a compressed response is not unpacked, as its size could be anything', async (t) => {
  for (const kind of vendorKinds) {
    const { origin, headers } = await answering(t, 'x', { headers: { 'content-encoding': 'gzip' } })
    t.is(await outcomeOf(kind.client(origin), kind.reference), 'form')
    t.is(headers[0]?.['accept-encoding'], 'identity')
  }
})

// In series, so that times are those of the service; slow cases run together afterwards.
const isSlow = ({ title }: FailureCase): boolean => /^(?:no answer|1 byte|503)/.test(title)

for (const kind of vendorKinds)
  for (const failureCase of failureCases)
    (isSlow(failureCase) ? test : test.serial)(
      `${kind.name}, ${failureCase.title}: ${failureCase.outcome}, in time, ${opensBreaker(failureCase) ? 'at once with the breaker open' : 'the breaker shut'}`,
      async (t) => {
        const run = await runFailureCase(kind, failureCase)
        t.deepEqual(wrongIn(failureCase, run), [])
        t.true(run.first.milliseconds < 6000, `answered after ${run.first.milliseconds} ms`)
        const milliseconds = run.broken?.milliseconds ?? 0
        t.true(milliseconds < 50, `answered after ${milliseconds} ms when open`)
      },
    )
