import { readConfig, startServer } from '@account-import/server'
import { startPracticeGiro } from './practice-giro.js'
import { withGiro } from './with-giro.js'

const config = readConfig(process.env, 'serve')
if (config._tag === 'Left') throw new Error(JSON.stringify(config.left))

const giro = await startPracticeGiro()
const module = withGiro({ origin: giro.origin, allowPrivateAddress: true, member: '4711' })
const server = await startServer(config.right, { modules: [module] })
console.log(server.address)

process.once('SIGTERM', () => {
  void server.stop().finally(giro.stop)
})
