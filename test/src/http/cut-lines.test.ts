import { type Cut, cutLines } from '@account-import/adapter-http-koa/testing'
import test from 'ava'

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

const shown = ({ line, ...cut }: Cut): string => {
  if ('isLong' in cut && cut.isLong === true) return `${line} is long`
  return `${line} ${'bytes' in cut ? (cut.bytes?.toString() ?? 'over the limit') : ''}`
}

/** The lines of chunks, with a limit of 8 bytes and long lines from 4. */
const cut = async (...texts: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const each of cutLines(chunksOf(...texts), 8, 4)) found.push(shown(each))
  return found
}

test('lines end with LF or CRLF, and the last line may lack its end', async (t) => {
  t.deepEqual(await cut('a\nb\r\n\nc'), ['1 a', '2 b', '3 ', '4 c'])
  t.deepEqual(await cut('a\n'), ['1 a'])
  t.deepEqual(await cut(), [])
  t.deepEqual(await cut('\r\n'), ['1 '])
})

test('a line in many parts is whole, wherever the parts begin', async (t) => {
  const text = 'ab\r\ncde\nf\r\n'
  const whole = ['1 ab', '2 cde', '3 f']
  for (let at = 0; at <= text.length; at += 1)
    t.deepEqual(await cut(text.slice(0, at), text.slice(at)), whole, `cut at ${at}`)
  t.deepEqual(await cut(...text.split('')), whole)
})

test('a line within the limit is whole, and one byte more is over the limit', async (t) => {
  t.deepEqual(await cut('12345678\r\n123456789\nb'), ['1 12345678', '2 over the limit', '3 b'])
  t.deepEqual(await cut('123', '45678\r', '\nb'), ['1 is long', '1 12345678', '2 b'])
  t.deepEqual(await cut('1234567', '89', 'more', '\nb'), ['1 is long', '1 over the limit', '2 b'])
  t.deepEqual(await cut('1234567', '89'), ['1 is long', '1 over the limit'])
})

test('a line that gets long is announced once, before more of it is read', async (t) => {
  const read: string[] = []
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const text of ['ab', 'cd', 'ef', '\n']) {
      read.push(text)
      yield Buffer.from(text)
    }
  }
  const lines = cutLines(chunks(), 8, 4)
  t.is(shown((await lines.next()).value as Cut), '1 is long')
  t.deepEqual(read, ['ab', 'cd'])
  t.is(shown((await lines.next()).value as Cut), '1 abcdef')
  t.true((await lines.next()).done)
})
