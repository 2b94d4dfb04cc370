// Calls the mock of GitHub's API through the generated client: a value, and a call that is refused before it is sent.
import { GithubClient } from "./typescript/src/index.js";

declare const process: { env: Record<string, string | undefined> };

const client = new GithubClient({ baseUrl: process.env["BASE_URL"] ?? "http://127.0.0.1:4010" });

const repository = await client.repos.get({ owner: "octocat", repo: "hello-world" });
if (!repository.ok) throw new Error(JSON.stringify(repository.error, null, 2));
const { fullName, defaultBranch, isPrivate } = {
  fullName: repository.value.fullName,
  defaultBranch: repository.value.defaultBranch,
  isPrivate: repository.value.private,
};
console.log("\nclient.repos.get({ owner, repo })");
console.log(JSON.stringify({ fullName, defaultBranch, private: isPrivate }, null, 2));

const refused = await client.repos.get({ owner: "..", repo: "hello-world" });
console.log('\nclient.repos.get({ owner: "..", repo })');
console.log(JSON.stringify(refused.ok ? refused.value : refused.error, null, 2));
if (refused.ok || refused.error.failed_parameter !== "args.owner") throw new Error("the demo did not go as it should");
