/** Runs every gate: format and lint, both type checks, dead code, and the import rules. Stops at the first failure. */
import { execFileSync } from 'node:child_process'

const gates: readonly (readonly [string, ...string[]])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '-p', 'tsconfig.json'],
  ['tsc', '-p', 'tsconfig.domain.json'],
  ['knip'],
]

for (const [command, ...commandArguments] of gates) run(command, commandArguments, 'inherit')

const cruised = run('depcruise', ['src', '--output-type', 'err'], 'pipe')
process.stdout.write(cruised)
// If dependency-cruiser can't read TypeScript, it finds no modules and so no violations. That must not pass.
const modules = Number(/\((\d+) modules/.exec(cruised)?.[1] ?? 0)
if (modules < 50) {
  process.stderr.write(`check: dependency-cruiser found only ${modules} modules\n`)
  process.exit(1)
}
process.stdout.write(`check: all gates passed (${modules} modules)\n`)

function run(command: string, commandArguments: readonly string[], stdout: 'inherit' | 'pipe'): string {
  process.stdout.write(`check: ${command} ${commandArguments.join(' ')}\n`)
  try {
    return (
      execFileSync(command, commandArguments, {
        stdio: ['inherit', stdout, 'inherit'],
        encoding: 'utf8',
      }) ?? ''
    )
  } catch (error) {
    // Output that was piped, not inherited, has not been shown yet.
    process.stderr.write((error as { stdout?: string | null }).stdout ?? '')
    return process.exit(1)
  }
}
