/** Requests of ours to the server, typed by its own list: what is asked for takes these parameters and gives that answer. */
import type { CancellationToken } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { ResultOf } from '../../server/src/lsp/common/featureTable.js';
import type { DocumentMethod, ParamsOf } from '../../server/src/lsp/common/requests.js';

/** Null for a document that the server does not know (any more). Rejects with what the server says of a request that failed. */
export function ask<M extends DocumentMethod>(
  client: BaseLanguageClient,
  method: M,
  params: ParamsOf<M>,
  token?: CancellationToken,
): Promise<ResultOf<M> | null> {
  // An absent token must not be passed: the library takes what is last and no token for a parameter.
  return token
    ? client.sendRequest<ResultOf<M> | null>(method, params, token)
    : client.sendRequest<ResultOf<M> | null>(method, params);
}
