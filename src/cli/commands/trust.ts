import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { MusterClient, WireTrust } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { ignoreCodes } from '../../domain/system-error.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { visibleLine } from '../render/text/safe-text.ts'
import { findRepository } from '../repository/find-repository.ts'
import { noRepository } from '../repository/no-repository.ts'
import { askPerson } from '../trust/ask-person.ts'
import { trustLines } from '../trust/trust-lines.ts'
import { notTrusted, trustsAll } from '../trust/with-trust.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type TrustFlags = { readonly yes?: true; readonly list?: true; readonly revoke?: true }

/** Shows what a repository's muster.yaml may do, and trusts it if the person agrees. */
export async function trustCommand(
  needs: CommandNeeds,
  given: string | undefined,
  flags: TrustFlags,
): Promise<Outcome> {
  if (flags.list === true) return withDaemon(needs, (client) => list(needs, client))
  const start = resolve(needs.surroundings.cwd, given ?? '.')
  const found = await findRepository(start)
  // Trust in a repository that was deleted can still be revoked.
  if (flags.revoke === true) return withDaemon(needs, (client) => revoke(needs, client, found ?? start))
  if (!(await isDirectory(start))) return failure(noDirectory(start))
  if (found === undefined) return failure(noRepository(start))
  return withDaemon(needs, (client) =>
    withAnswer(client.getTrust(found), (shown) => decide(needs, client, shown, flags)),
  )
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  return found?.isDirectory() === true
}

function noDirectory(path: string): Problem {
  return {
    type: 'directory-missing',
    exitCode: EXIT.usage,
    message: `there is no directory ${visibleLine(path)}`,
    next: 'muster trust --list',
  }
}

async function decide(
  needs: CommandNeeds,
  client: MusterClient,
  shown: WireTrust,
  flags: TrustFlags,
): Promise<Outcome> {
  const { output, surroundings } = needs
  for (const line of trustLines(shown, output.paint)) output.printExact(line)
  if (shown.isTrusted && shown.parts.length === 0) return printResult(needs, shown, [])
  if (shown.isTrusted) return printResult(needs, shown, ['You already trust these settings.'])
  const isAgreed = flags.yes === true || trustsAll(surroundings)
  if (!isAgreed && !output.isTerminal) return failure(nobodyToAsk(shown))
  if (!isAgreed && (await askPerson(needs, 'Trust these settings?')) !== 'yes')
    return failure(notTrusted(shown.repositoryPath))
  return withAnswer(client.trustConfiguration(shown.repositoryPath, shown.digest), (trusted) =>
    printResult(needs, trusted, ['Trusted, until one of these settings changes.']),
  )
}

function nobodyToAsk({ repositoryPath }: WireTrust): Problem {
  return {
    type: 'configuration-untrusted',
    exitCode: EXIT.usage,
    message: 'these settings are not trusted yet, and Muster can ask you only in a terminal',
    next: `muster trust ${shellWord(repositoryPath)} --yes`,
  }
}

async function revoke(needs: CommandNeeds, client: MusterClient, path: string): Promise<Outcome> {
  return withAnswer(client.revokeTrust(path), (revoked) => {
    const line = revoked.wasTrusted
      ? `${visibleLine(path)} is no longer trusted; jobs that have started keep their settings`
      : `${visibleLine(path)} was not trusted`
    return printResult(needs, revoked, [line])
  })
}

async function list(needs: CommandNeeds, client: MusterClient): Promise<Outcome> {
  return withAnswer(client.listTrusted(), ({ items }) => {
    needs.output.value({ success: true, data: { items } })
    if (items.length === 0) needs.output.print('no repository is trusted')
    for (const { path, digest, trustedAt } of items)
      needs.output.print(`${visibleLine(path)}  ${digest.slice(0, 12)}  since ${trustedAt}`)
    return success(EXIT.done)
  })
}
