import { commands } from './commands.js'

const usage = `npm run faults -- NAME [options]
Breaks things on purpose, and checks that nothing that was acknowledged is lost, nothing is there twice, and nothing is half
there. --save writes the figures into docs/reference, unless a run found something broken.

${Object.values(commands)
  .map((each) => each.usage)
  .join('\n')}`

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (name === '--help') console.log(usage)
else if (command === undefined) {
  console.error(usage)
  process.exitCode = 2
} else if (args.includes('--help')) console.log(`npm run faults -- ${command.usage}`)
else process.exitCode = await command.run(args)
