import {
  DocumentStorageError,
  folderDocuments,
  minioDocuments,
  type MinioDocumentsOptions,
} from '@account-import/adapter-object-storage'
import type { Either } from '@account-import/core/fp'
import test, { type ExecutionContext } from 'ava'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { freePort } from '../servers/index.js'
import { listen } from '../support/http-server.js'
import { startS3Server } from '../support/s3-server.js'
import { tempFolder } from '../support/temp-folder.js'
import { switchVerificationOff } from '../support/unverified-tls.js'
import { selfSigned } from '../support/self-signed.js'

/** The keys of the documents that were found, sorted: AVA compares the order of sets too, and any is right. */
const sortedKeys = <F>(answer: Either<F, ReadonlySet<string>>): readonly string[] | F =>
  answer._tag === 'Right' ? [...answer.right].sort() : answer.left

test('links inside the folder are documents, and links that lead outside, nowhere or in circles are not', async (t) => {
  const base = await tempFolder(t)
  const [folder, beside] = [join(base, 'documents'), join(base, 'documents-of-others')]
  for (const path of [folder, beside]) {
    await mkdir(path)
    await writeFile(join(path, 'one.pdf'), 'x')
  }
  await symlink(join(beside, 'one.pdf'), join(folder, 'file-outside.pdf'))
  await symlink('../documents-of-others', join(folder, 'folder-outside'))
  await symlink('nowhere', join(folder, 'dangling.pdf'))
  await symlink('circle.pdf', join(folder, 'circle.pdf'))
  await symlink('one.pdf', join(folder, 'inside.pdf'))
  const keys = [
    'file-outside.pdf',
    'folder-outside/one.pdf',
    'dangling.pdf',
    'circle.pdf',
    'inside.pdf',
    'one.pdf',
  ]
  t.deepEqual(sortedKeys(await folderDocuments(folder).existing(keys, 'LLUM')), ['inside.pdf', 'one.pdf'])
})

test('the folder itself may be a link', async (t) => {
  const base = await tempFolder(t)
  await mkdir(join(base, 'real'))
  await writeFile(join(base, 'real', 'one.pdf'), 'x')
  await symlink('real', join(base, 'link'))
  const existing = await folderDocuments(join(base, 'link')).existing(['one.pdf'], 'LLUM')
  t.deepEqual(existing, { _tag: 'Right', right: new Set(['one.pdf']) })
})

test('the storage is unavailable while its folder is missing, and calls no document missing', async (t) => {
  const folder = join(await tempFolder(t), 'volume')
  const documents = folderDocuments(folder)
  const existing = () => documents.existing(['secret-name.pdf'], 'LLUM')
  const failed = await existing()
  t.like(failed, {
    _tag: 'Left',
    left: { kind: 'unavailable', port: 'documents', operation: 'existing', cause: { code: 'ENOENT' } },
  })
  await mkdir(folder)
  await writeFile(join(folder, 'secret-name.pdf'), 'x')
  t.deepEqual(await existing(), { _tag: 'Right', right: new Set(['secret-name.pdf']) })
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file')
  t.like(await existing(), { _tag: 'Left', left: { kind: 'unexpected' } })
})

test('a name that is too long for the file system is a missing document', async (t) => {
  const existing = await folderDocuments(await tempFolder(t)).existing(['é'.repeat(200)], 'LLUM')
  t.deepEqual(existing, { _tag: 'Right', right: new Set() })
})

test('a folder that takes too long is unavailable', async (t) => {
  const folder = await tempFolder(t)
  const keys = Array.from({ length: 20_000 }, (_, index) => `${index}.pdf`)
  t.like(await folderDocuments(folder, { callTimeoutMilliseconds: 1 }).existing(keys, 'LLUM'), {
    _tag: 'Left',
    left: { kind: 'unavailable', cause: { code: 'ETIMEDOUT' } },
  })
})

test('the folder is ready while it is there', async (t) => {
  const folder = join(await tempFolder(t), 'volume')
  const documents = folderDocuments(folder)
  t.like(await documents.ready(), {
    _tag: 'Left',
    left: { kind: 'unavailable', operation: 'ready', cause: { code: 'ENOENT' } },
  })
  await mkdir(folder)
  t.deepEqual(await documents.ready(), { _tag: 'Right', right: undefined })
})

const key = 'levante/secret-name.pdf'

const optionsFor = (port: number): MinioDocumentsOptions => ({
  endPoint: '127.0.0.1',
  port,
  useSSL: false,
  accessKey: 'some',
  secretKey: 'canary-of-the-secret',
  bucket: 'documents',
})

const failsWith = async (
  t: ExecutionContext,
  options: MinioDocumentsOptions,
  kind: 'unavailable' | 'unexpected',
  code: string,
): Promise<void> => {
  const answer = await minioDocuments(options).existing([key], 'LLUM')
  t.like(answer, { _tag: 'Left', left: { kind, port: 'documents', operation: 'existing', cause: { code } } })
  const cause = answer._tag === 'Left' ? answer.left.cause : undefined
  const told = cause instanceof DocumentStorageError ? `${cause.stack}${JSON.stringify(cause)}` : ''
  t.regex(told, /DocumentStorageError/)
  t.notRegex(told, /secret-name|canary/)
}

test('a server that cannot be reached is unavailable', async (t) => {
  await failsWith(t, optionsFor(await freePort()), 'unavailable', 'ECONNREFUSED')
})

test('a server that never responds is unavailable after the time-out', async (t) => {
  const port = await listen(t, () => undefined)
  const begin = performance.now()
  await failsWith(t, { ...optionsFor(port), timeoutMilliseconds: 200 }, 'unavailable', 'ABORT_ERR')
  t.true(performance.now() - begin < 5000)
})

test('a call is given up after its total time, and sends nothing afterwards', async (t) => {
  let requests = 0
  const port = await listen(t, (_, response) => {
    requests++
    setTimeout(() => response.end(), 50)
  })
  const keys = Array.from({ length: 200 }, (_, index) => `levante/${index}.pdf`)
  const documents = minioDocuments({ ...optionsFor(port), parallel: 2, callTimeoutMilliseconds: 300 })
  t.like(await documents.existing(keys, 'LLUM'), {
    _tag: 'Left',
    left: { kind: 'unavailable', cause: { code: 'ETIMEDOUT' } },
  })
  const asked = requests
  // Time in which workers that did not stop would ask for several more.
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.true(requests <= asked + 2 && requests < 100, `${asked}, then ${requests} requests`)
})

test('a busy or broken server is unavailable, and one that refuses access is an unexpected failure', async (t) => {
  let status = 503
  const port = await listen(t, (_, response) => response.writeHead(status).end())
  await failsWith(t, optionsFor(port), 'unavailable', 'HTTP_503')
  status = 500
  await failsWith(t, optionsFor(port), 'unavailable', 'HTTP_500')
  status = 403
  await failsWith(t, optionsFor(port), 'unexpected', 'AccessDenied')
})

test('wrong credentials and a missing bucket are unexpected failures, never missing documents', async (t) => {
  const { options, stop } = await startS3Server()
  t.teardown(stop)
  await failsWith(t, { ...options, secretKey: 'canary-of-the-secret' }, 'unexpected', 'AccessDenied')
  await failsWith(t, { ...options, bucket: 'no-such-bucket' }, 'unexpected', 'NoSuchBucket')
})

/** The most requests that run at one time. The first ones get responses when this number has arrived. */
const counter = (expected: number) => {
  const waiting: (() => void)[] = []
  let [running, most, requests] = [0, 0, 0]
  return {
    counts: () => ({ most, requests }),
    answerLater: (answer: () => void): void => {
      most = Math.max(most, ++running)
      waiting.push(() => {
        running--
        answer()
      })
      if (++requests < expected) return
      // Time for one more than those that may run.
      for (const end of waiting.splice(0)) setTimeout(end, 5)
    },
  }
}

test('requests run up to the concurrency limit', async (t) => {
  const { answerLater, counts } = counter(4)
  const port = await listen(t, (_, response) => answerLater(() => response.end()))
  const keys = Array.from({ length: 60 }, (_, index) => `levante/${index}.pdf`)
  const existing = await minioDocuments({ ...optionsFor(port), parallel: 4 }).existing(keys, 'LLUM')
  t.deepEqual(existing, { _tag: 'Right', right: new Set(keys) })
  t.deepEqual(counts(), { most: 4, requests: 60 })
})

test('a call begins no request after a failure', async (t) => {
  let requests = 0
  let failedAlready = (): void => undefined
  const failure = new Promise<void>((resolve) => (failedAlready = resolve))
  const port = await listen(t, (request, response) => {
    requests++
    if (request.url?.endsWith('bad.pdf') === true) response.writeHead(403).end()
    else void failure.then(() => response.end())
  })
  const keys = Array.from({ length: 60 }, (_, index) => `levante/${index}.pdf`)
  const documents = minioDocuments({ ...optionsFor(port), parallel: 4 })
  const failed = await documents.existing(['bad.pdf', ...keys], 'LLUM')
  t.like(failed, { _tag: 'Left', left: { kind: 'unexpected', cause: { code: 'AccessDenied' } } })
  failedAlready()
  // Time in which workers that did not stop would ask for more.
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.true(requests <= 4, `${requests} requests`)
})

test('concurrent calls share the concurrency limit, and each gets its own answer', async (t) => {
  const { answerLater, counts } = counter(4)
  const port = await listen(t, (request, response) =>
    answerLater(() => response.writeHead(request.url?.includes('/no-') === true ? 404 : 200).end()),
  )
  const documents = minioDocuments({ ...optionsFor(port), parallel: 4 })
  const calls = Array.from({ length: 20 }, (_, call) => [`yes-${call}`, `no-${call}`, `yes-too-${call}`])
  const answers = await Promise.all(calls.map((keys) => documents.existing(keys, 'LLUM')))
  const expected = calls.map(([one = '', , two = '']) => [one, two])
  t.deepEqual(answers.map(sortedKeys), expected)
  t.is(counts().most, 4)
})

test('any number of calls may wait without a warning of the runtime', async (t) => {
  const warnings: string[] = []
  const note = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const port = await listen(t, (_, response) => void setTimeout(() => response.end(), 2))
  const documents = minioDocuments(optionsFor(port))
  const keys = Array.from({ length: 60 }, (_, index) => `${index}.pdf`)
  const answers = await Promise.all([1, 2, 3].map(() => documents.existing(keys, 'LLUM')))
  t.deepEqual(
    answers,
    [1, 2, 3].map(() => ({ _tag: 'Right' as const, right: new Set(keys) })),
  )
  // Warnings are emitted in a later turn.
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.deepEqual(warnings, [])
})

test('a waiting call ends at its time-out, sends nothing afterwards, and delays no other call', async (t) => {
  const urls: string[] = []
  const held: (() => void)[] = []
  const port = await listen(t, (request, response) => {
    urls.push(request.url ?? '')
    if (request.url?.includes('slow') === true) held.push(() => response.end())
    else response.end()
  })
  // Long enough for the last call to be answered on a busy machine too.
  const options = { ...optionsFor(port), parallel: 2, callTimeoutMilliseconds: 2000 }
  const documents = minioDocuments(options)
  const slow = documents.existing(['slow-1', 'slow-2'], 'LLUM')
  const begin = performance.now()
  const waiting = await documents.existing(['waiting-1', 'waiting-2'], 'LLUM')
  t.like(waiting, { _tag: 'Left', left: { kind: 'unavailable', cause: { code: 'ETIMEDOUT' } } })
  t.true(performance.now() - begin < 5000)
  t.is((await slow)._tag, 'Left')
  for (const release of held) release()
  t.deepEqual(await documents.existing(['after'], 'LLUM'), { _tag: 'Right', right: new Set(['after']) })
  t.false(urls.some((url) => url.includes('waiting')))
})

test('a failed call does not fail the calls that wait behind it', async (t) => {
  const port = await listen(t, (request, response) =>
    response.writeHead(request.url?.includes('bad') === true ? 403 : 200).end(),
  )
  const documents = minioDocuments({ ...optionsFor(port), parallel: 1 })
  const [failed, answered] = await Promise.all([
    documents.existing(['bad-1', 'bad-2', 'bad-3'], 'LLUM'),
    documents.existing(['good-1', 'good-2'], 'LLUM'),
  ])
  t.is(failed._tag, 'Left')
  t.deepEqual(answered, { _tag: 'Right', right: new Set(['good-1', 'good-2']) })
})

test('readiness is one request that does not queue behind waiting calls, and fails as a call does', async (t) => {
  const urls: string[] = []
  const port = await listen(t, (request, response) => {
    urls.push(request.url ?? '')
    if (request.url === '/documents/' || request.url === '/documents') response.end()
  })
  const documents = minioDocuments({ ...optionsFor(port), parallel: 1, callTimeoutMilliseconds: 5000 })
  const stuck = documents.existing(['stuck'], 'LLUM')
  t.deepEqual(await documents.ready(), { _tag: 'Right', right: undefined })
  t.is(urls.filter((url) => !url.includes('stuck')).length, 1)
  t.is((await stuck)._tag, 'Left')

  const { options, stop } = await startS3Server()
  t.teardown(stop)
  const failure = async (changed: Partial<MinioDocumentsOptions>) => {
    const answer = await minioDocuments({ ...options, ...changed }).ready()
    return answer._tag === 'Left' ? answer.left : t.fail('it was ready')
  }
  t.like(await failure({ secretKey: 'wrong' }), { kind: 'unexpected', operation: 'ready' })
  t.like(await failure({ bucket: 'no-such-bucket' }), { kind: 'unexpected', cause: { code: 'NoSuchBucket' } })
  t.like(await failure({ port: await freePort() }), { kind: 'unavailable' })
})

test('deadlines of finished requests do not affect later ones on the same connections', async (t) => {
  const port = await listen(t, (_, response) => response.end())
  const documents = minioDocuments({ ...optionsFor(port), parallel: 1, timeoutMilliseconds: 3000 })
  const until = performance.now() + 4000
  while (performance.now() < until) {
    t.deepEqual(await documents.existing([key], 'LLUM'), { _tag: 'Right', right: new Set([key]) })
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
})

test('a key that the server calls impossible is a missing document', async (t) => {
  const code = { 'x-minio-error-code': 'KeyTooLongError', 'x-minio-error-desc': 'too long' }
  const port = await listen(t, (request, response) =>
    request.url === '/documents' || request.url === '/documents/'
      ? response.end()
      : response.writeHead(400, code).end(),
  )
  const existing = await minioDocuments(optionsFor(port)).existing([key], 'LLUM')
  t.deepEqual(existing, { _tag: 'Right', right: new Set() })
})

test('the storage connects by TLS unless useSSL is false', async (t) => {
  const port = await listen(t, (_, response) => response.end())
  const { useSSL: _, ...encrypted } = optionsFor(port)
  await failsWith(t, encrypted, 'unexpected', 'EPROTO')
})

test('a self-signed certificate is refused before any request, for any environment', async (t) => {
  switchVerificationOff(t)
  let requests = 0
  const server = createTlsServer(selfSigned, (_, response) => {
    requests += 1
    response.end()
  })
  const documents = minioDocuments({
    endPoint: '127.0.0.1',
    port: await listen(t, server),
    accessKey: 'some',
    secretKey: 'secret',
    bucket: 'documents',
  })
  t.like(await documents.existing(['levante/a.pdf'], 'LLUM'), {
    _tag: 'Left',
    left: { kind: 'unexpected', cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } },
  })
  t.is(requests, 0)
})
