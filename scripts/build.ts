/** Builds the package into `dist`: the compiled sources, the shell scripts that run session hosts, and the manual page. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs'

const SCRIPTS = ['adapters/hosts/local/host.sh', 'adapters/hosts/terminal/terminal.sh']

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' })
for (const script of SCRIPTS) cpSync(`src/${script}`, `dist/${script}`)
chmodSync('dist/bin.js', 0o755)
writeFileSync('dist/muster.1', execFileSync(process.execPath, ['dist/bin.js', 'help', '--man']))
