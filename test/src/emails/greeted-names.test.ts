import test from 'ava'
import { answer } from '../support/answers.js'
import { migrating, relayOnce } from './support/migrating.js'

const customer = { account_roles: ['ACCOUNT_HOLDER'], family_name: 'Vidal', email: 'a@example.com' }

const links = [
  'Win at https://evil.example',
  'HTTP://evil',
  'ftp://x',
  'www.evil',
  'WWW.EVIL.EXAMPLE',
  'write to thief@evil.example',
  '@thief',
  'evil.example/prize',
  'Prize: evil.example',
  'ｗｗｗ．evil',
  'https：／／evil',
  'ww\u200bw.evil',
  'ev\u00adil.ex\u2060ample',
  't.co/AbC',
  'Win: T.CO/x',
  'x.com',
  'x.com/p',
  'x.com:8080',
  'a.b.co.uk',
  'x.de?p=1',
  'x.xn--p1ai/p',
  '203.0.113.7/x',
  'see 203.0.113.7',
  'EVIL。COM',
  'evil․com',
  'evil．com',
  'evil｡com',
  'click a.b/c',
  'tel:+34900123456',
  'mailto:x',
  'two\u2028lines',
  'x'.repeat(41),
]
const names = [
  'Núria',
  'M. Carmen',
  'M.ª Ángeles',
  'J. R. R.',
  'J. R. R. Tolkien',
  'J.R.R.Tolkien',
  'J.R. Smith',
  'A.B. Martínez',
  'M.Carmen',
  'M.CARMEN',
  'j.smith',
  'J.Comas',
  'J.Li',
  'Luis 2.º',
  '1.2.3',
  "O'Neil",
  'Ana-Belén',
  'St. John',
  '王',
  'C/ Mayor',
  'Gal·la',
  'Anaïs d’Arc (filla)',
]

test('a name that could become a link is no name to greet by; others are kept', async (t) => {
  const world = await migrating()
  for (const [index, given_name] of [...links, ...names].entries())
    await answer(world.migrate(`N-${index}`, { customers: [{ ...customer, given_name }] }))
  await relayOnce(world)
  const greeted = world.notices.map(({ recipient }) => recipient.name).filter((name) => name !== undefined)
  t.is(world.notices.length, links.length + names.length)
  t.deepEqual(greeted.sort(), names.toSorted())
})

test('a customer without a given name is written to without a name', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1', { customers: [customer] }))
  await relayOnce(world)
  t.deepEqual(
    world.notices.map(({ recipient }) => recipient),
    [{ address: 'a@example.com', name: undefined }],
  )
})
