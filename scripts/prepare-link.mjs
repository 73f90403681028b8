/**
 * Makes `npm install -g .` work. npm only links the checkout, so this installs and builds what the command needs. Does
 * nothing for other installs. Plain JavaScript, because it runs on whatever Node the person has.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const { npm_config_global: isGlobal, npm_config_prefix: _, ...env } = process.env
const npm = (...parameters) => execFileSync('npm', parameters, { stdio: 'inherit', env })

if (isGlobal === 'true') {
  if (!existsSync('node_modules/.bin/tsc')) npm('ci')
  npm('run', 'build')
}
