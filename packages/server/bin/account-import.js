#!/usr/bin/env node
// npm links a bin when it installs, before anything is built: so this file is there from the beginning.
import '../bundle/main.js'
