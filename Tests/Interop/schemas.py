"""Compares the .proto files of Sources/Toolkit/InterchangeMessages with the published schemas.

    scripts/make-interchange-messages --check

Every message, field, number and type of ours must be one of theirs. Packed lists of numbers and
messages may be declared as bytes, enumerations as numbers, and members of a union as plain fields.
"""

import sys

from coremltools.proto import Model_pb2  # loads what it imports, too
from google.protobuf import descriptor_pb2
from onnx import onnx_ml_pb2

THEIRS = {"CoreML.proto": Model_pb2.Model.DESCRIPTOR.file.pool,
          "ONNX.proto": onnx_ml_pb2.ModelProto.DESCRIPTOR.file.pool}
BYTES = descriptor_pb2.FieldDescriptorProto.TYPE_BYTES
INT32 = descriptor_pb2.FieldDescriptorProto.TYPE_INT32


def check(message, package, pool):
    name = f"{package}.{message.name}"
    theirs = pool.FindMessageTypeByName(name)
    for field in message.field:
        other = theirs.fields_by_number.get(field.number)
        place = f"{name}.{field.name}"
        assert other is not None and other.name == field.name, f"{place} = {field.number}"
        if field.type == BYTES and other.type != BYTES:
            assert other.is_repeated == (other.message_type is None), f"{place} has another type"
            continue
        is_number = field.type == INT32 and other.enum_type is not None
        assert is_number or other.type == field.type, f"{place} has another type"
        assert other.is_repeated == (field.label == field.LABEL_REPEATED), place
        if field.type_name:
            kind = other.message_type or other.enum_type
            assert kind.full_name == field.type_name.lstrip("."), f"{place} has another type"
        if field.HasField("oneof_index") and not field.proto3_optional:
            group = message.oneof_decl[field.oneof_index].name
            assert other.containing_oneof.name == group, f"{place} is in another group"
    for enum in message.enum_type:
        numbers = pool.FindEnumTypeByName(f"{name}.{enum.name}").values_by_name
        for value in enum.value:
            assert numbers[value.name].number == value.number, f"{name}.{value.name}"
    return 1 + sum(check(inner, name, pool) for inner in message.nested_type)


def compare(path):
    files = descriptor_pb2.FileDescriptorSet.FromString(open(path, "rb").read()).file
    assert {file.name for file in files} == set(THEIRS)
    return sum(check(message, file.package, THEIRS[file.name])
               for file in files for message in file.message_type)


if __name__ == "__main__":
    print(f"{compare(sys.argv[1])} messages are as published")
