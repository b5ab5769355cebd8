#!/usr/bin/env node
import { runProcess } from '@account-import/cli/kit'
import { serverProgram } from './cli/program.js'

await runProcess(serverProgram)
