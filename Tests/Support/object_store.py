"""An S3-compatible store on this machine for tests (moto), with one bucket and one user whose signatures are checked.

Prints one line of JSON (port, accessKey, secretKey, bucket) and ends with its input.
"""
import json
import os
import sys

# Calls before signatures and rights are checked: those below.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"
os.environ.setdefault("AWS_ACCESS_KEY_ID", "setup")
os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "setup")

import boto3  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
port = server.get_host_and_port()[1]
options = {"endpoint_url": f"http://127.0.0.1:{port}", "region_name": "eu-central-1"}
identities = boto3.client("iam", **options)
identities.create_user(UserName="sightline")
policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
identities.put_user_policy(UserName="sightline", PolicyName="files", PolicyDocument=json.dumps(policy))
key = identities.create_access_key(UserName="sightline")["AccessKey"]
boto3.client("s3", **options).create_bucket(
    Bucket="sightline-files", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
print(json.dumps({"port": port, "accessKey": key["AccessKeyId"], "secretKey": key["SecretAccessKey"],
                  "bucket": "sightline-files"}), flush=True)
sys.stdin.read()
os._exit(0)
