#!/usr/bin/env node
import { commands } from './commands/list.js'
import { runProcess } from './kit/process.js'

const about = `Checks, converts and imports files of customer accounts, and follows, undoes and proves their import.
The server and the commands of its operators are in the package @account-import/server, under the same name.`

await runProcess({ about, commands })
