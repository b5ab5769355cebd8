import { createServer } from 'node:https'
import { minioDocuments } from '@account-import/adapter-object-storage'
import test from 'ava'
import { listen } from '../support/http-server.js'
import { selfSigned } from '../vendors/support/self-signed.js'
import { switchVerificationOff } from '../support/unverified-tls.js'

test('a certificate that nobody has signed is refused and no request is sent, whatever the environment says', async (t) => {
  switchVerificationOff(t)
  let requests = 0
  const server = createServer(selfSigned(), (_, response) => {
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
  t.like(await documents.existing(['levante/a.pdf'], 'LLUM')(), {
    _tag: 'Left',
    left: { kind: 'unexpected', cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } },
  })
  t.is(requests, 0)
})
