/** Builds the package: compiled sources and the shell scripts of the hosts beside them. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'

const SCRIPTS = ['adapters/hosts/local/host.sh', 'adapters/hosts/terminal/terminal.sh']

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' })
for (const script of SCRIPTS) cpSync(`src/${script}`, `dist/${script}`)
chmodSync('dist/bin.js', 0o755)
